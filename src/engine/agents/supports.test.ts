import { describe, expect, it } from 'vitest';
import { dialectOf } from '../../hooks/dialects/index.ts';
import { agentNames, documentation, hookMoments, supports } from './supports.ts';

describe('the table of what agents support', () => {
  it('names the events that hooks understand, for the moments that they are', () => {
    for (const agent of agentNames)
      for (const moment of hookMoments) {
        const event = supports[agent][moment];
        if (event === undefined) continue;
        const payload =
          agent === 'opencode' ? { hook: event } : { hook_event_name: event, trigger: 'manual' };
        expect([agent, event, dialectOf(agent)?.read(payload, undefined)?.moment]).toEqual([
          agent,
          event,
          moment,
        ]);
      }
  });

  it('says for every agent how a session begins, and where that is documented', () => {
    for (const agent of agentNames) {
      expect(supports[agent]).toMatchObject({ 'session-start': expect.any(String), mcp: expect.any(String) });
      for (const address of documentation[agent]) expect(address).toMatch(/^https:\/\//);
    }
  });
});
