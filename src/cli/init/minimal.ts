/** A workspace that runs at once, without a network: by path, the text of each file. */
export function minimalWorkspace(schema: string): Readonly<Record<string, string>> {
  return {
    'pawl.yaml': manifest(schema),
    'phases.mjs': phases,
    'prompts/draft.md': prompt,
    'README.md': readme,
  };
}

function manifest(schema: string): string {
  return `# yaml-language-server: $schema=${schema}
pawl: 1
pipeline: postcards

# Each of these goes through all phases.
units:
  - { id: lisbon, weather: sun }
  - { id: oslo, weather: snow }
  - { id: quito, weather: rain }

phases:
  draft:
    prompt: prompts/draft.md
    run: { function: ./phases.mjs#draft }
    outputs: { text: "drafts/{unit}.md" }

  polish:
    run: { function: ./phases.mjs#polish }
    inputs: { text: draft.text }
    outputs:
      card: { path: "cards/{unit}.md", check: non-empty }
`;
}

const phases = `// A phase takes a task and returns its outputs by name; Pawl puts them where pawl.yaml says.

/** Here a model would be called with task.prompt.text; this one answers by itself. */
export function draft(task) {
  const [, question] = task.prompt.text.split('\\n\\n');
  task.respond(question);
  return { text: \`Dear all,\\n\${question.trim()}\\n\` };
}

export function polish(task) {
  return { card: \`\${task.inputs.text.text().trim()}\\nYours, \${task.phase}\\n\` };
}
`;

const prompt = `Write a postcard in one sentence.

Greetings from {{ unit.id | capitalize }}, where there is {{ unit.weather }}.
`;

const readme = `# Postcards

A small pipeline: three units go through two phases.

    pawl plan      what a run would do, and why
    pawl run       does it; run it again: nothing is left to do
    pawl status    where it stands

Then change prompts/draft.md and run again: the change is named and refused, because results were made from the old
one. Delete a file in cards/ and run again: only that card is made anew. Stop a run at any time: nothing is lost.
`;
