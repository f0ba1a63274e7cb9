/** What a check says. The detail is for people: facts, or words from outside. */
export type CheckOutcome =
  | { readonly passed: true }
  | {
      readonly passed: false;
      readonly detail: string;
      /** Inconclusive: no checker could judge the file, which may be fine. */
      readonly unable?: true;
    };

export const passed: CheckOutcome = Object.freeze({ passed: true });

export function failed(detail: string): CheckOutcome {
  return { passed: false, detail };
}

/** What cannot be proven has not passed; but it is not taken for damage either. */
export function unable(detail: string): CheckOutcome {
  return { passed: false, detail, unable: true };
}
