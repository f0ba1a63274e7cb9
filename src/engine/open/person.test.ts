import { expect, test } from 'vitest';
import { agentHere, agentMarkers } from './person.ts';

test('each variable of the table marks a coding agent by itself', () => {
  for (const { variable, value = '1' } of agentMarkers)
    expect(agentHere({ HOME: '/home/me', [variable]: value })?.variable).toBe(variable);
});

test('a similar name, an empty value or another role marks nothing', () => {
  const people = {
    CLAUDECODE: '',
    MY_AI_AGENT: '1',
    CURSOR_TRACE_ID: 'abc',
    CURSOR_EXTENSION_HOST_ROLE: 'local',
  };
  expect(agentHere(people)).toBeUndefined();
});
