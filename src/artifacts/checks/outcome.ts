/** What a check says. The detail is for people: facts, or words from outside. */
export type CheckOutcome = { readonly passed: true } | { readonly passed: false; readonly detail: string };

export const passed: CheckOutcome = Object.freeze({ passed: true });

export function failed(detail: string): CheckOutcome {
  return { passed: false, detail };
}
