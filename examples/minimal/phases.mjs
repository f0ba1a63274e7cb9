// A phase takes a task and returns its outputs by name; Pawl puts them where pawl.yaml says.

/** Here a model would be called with task.prompt.text; this one answers by itself. */
export function draft(task) {
  const [, question] = task.prompt.text.split('\n\n');
  task.respond(question);
  return { text: `Dear all,\n${question.trim()}\n` };
}

export function polish(task) {
  return { card: `${task.inputs.text.text().trim()}\nYours, ${task.phase}\n` };
}
