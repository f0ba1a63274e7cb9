import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { chooseLaunch } from './command.ts';
import { opencodePlugin } from './opencode-plugin.ts';

/** Stands in for Pawl: writes down what it is told, and answers with a text of its own. */
const standIn = `
import { appendFileSync, readFileSync } from 'node:fs';
const payload = JSON.parse(readFileSync(0, 'utf8'));
appendFileSync(new URL('./told', import.meta.url), JSON.stringify({ args: process.argv.slice(2), ...payload }) + '\\n');
console.log(JSON.stringify({ context: 'said of ' + (payload.hook ?? payload.event.type) }));
`;

type Hook = (input: object, output: object) => Promise<void>;
interface Plugin {
  readonly id: string;
  server(input: { directory: string }): Promise<Record<string, Hook>>;
  setup(ctx: object): Promise<() => void>;
}

async function load(command?: readonly string[]) {
  const folder = tempFolder({ 'stand-in.mjs': standIn });
  const launch = chooseLaunch({
    agent: 'opencode',
    scope: 'project',
    isOnPath: true,
    isInProject: false,
    isGitTop: true,
    program: '/opt/pawl/bin/pawl.js',
    command: command ?? [process.execPath, join(folder, 'stand-in.mjs')],
  });
  const path = join(folder, 'pawl.mjs');
  writeFileSync(path, opencodePlugin(launch).text);
  const { default: plugin } = (await import(pathToFileURL(path).href)) as { default: Plugin };
  const told = () => {
    const file = join(folder, 'told');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  return { folder, plugin, told };
}

describe('the plugin for opencode', () => {
  it('hands the events of version 1 to Pawl, and what it says to the model', async () => {
    const { folder, plugin, told } = await load();
    const hooks = await plugin.server({ directory: folder });
    const call = async (name: string, input: object, output: object = {}) => {
      await hooks[name]?.(input, output);
      return output;
    };
    const session = { sessionID: 's1' };
    const transform = 'experimental.chat.system.transform';
    expect(await call(transform, session, { system: ['a'] })).toEqual({
      system: ['a', 'said of session.created'],
    });
    expect(await call(transform, session, { system: [] })).toEqual({ system: ['said of session.created'] });
    await call('experimental.session.compacting', session);
    expect(await call(transform, session, { system: [] })).toEqual({ system: ['said of session.compacted'] });
    const used = { ...session, tool: 'write', args: { filePath: '/x' } };
    expect(await call('tool.execute.after', used, { output: 'ok' })).toEqual({
      output: 'ok\n\nsaid of tool.execute.after',
    });
    expect(await call('tool.execute.after', { ...used, tool: 'read' }, { output: 'ok' })).toEqual({
      output: 'ok',
    });
    await call('event', { event: { type: 'session.idle', properties: session } });
    await call('event', { event: { type: 'message.updated', properties: session } });
    const base = { args: ['hook', 'opencode'], directory: folder };
    expect(told()).toEqual([
      { ...base, hook: 'session.created', ...session },
      { ...base, hook: 'experimental.session.compacting', ...session },
      { ...base, hook: 'session.compacted', ...session },
      { ...base, hook: 'tool.execute.after', ...session, tool: 'write', args: { filePath: '/x' } },
      { ...base, event: { type: 'session.idle', properties: session } },
    ]);
  });

  it('does the same in version 2', async () => {
    const { folder, plugin, told } = await load();
    const hooks = new Map<string, (event: object) => Promise<void>>();
    const hook = (domain: string) => async (name: string, run: (event: object) => Promise<void>) => {
      hooks.set(`${domain}.${name}`, run);
    };
    let release = () => {};
    const over = new Promise<void>((resolve) => {
      release = resolve;
    });
    const end = await plugin.setup({
      location: { directory: folder },
      session: { hook: hook('session') },
      tool: { hook: hook('tool') },
      event: {
        async *subscribe() {
          yield { type: 'session.idle', data: { sessionID: 's1' } };
          release();
        },
      },
    });
    await over;
    const call = async <T extends object>(name: string, event: T) => {
      await hooks.get(name)?.(event);
      return event;
    };
    expect(await call('session.context', { sessionID: 's1', system: [] })).toMatchObject({
      system: [{ type: 'text', text: 'said of session.created' }],
    });
    await call('session.compaction', { sessionID: 's1' });
    const used = { sessionID: 's1', tool: 'edit', input: { path: 'x' }, status: 'completed' };
    const text = 'said of tool.execute.after';
    expect(await call('tool.execute.after', { ...used, result: { content: 'ok' } })).toMatchObject({
      result: { content: `ok\n\n${text}` },
    });
    expect(await call('tool.execute.after', { ...used, result: { content: [1] } })).toMatchObject({
      result: { content: [1, { type: 'text', text }] },
    });
    expect(await call('tool.execute.after', { ...used, result: { output: 1 } })).toMatchObject({
      result: { output: 1 },
    });
    expect(told().map(({ hook, event }) => hook ?? (event as { type: string }).type)).toEqual([
      'session.idle',
      'session.created',
      'experimental.session.compacting',
      'tool.execute.after',
      'tool.execute.after',
      'tool.execute.after',
    ]);
    end();
  });

  it.each([
    ['that is not there', ['/nowhere/pawl']],
    ['that fails', [process.execPath, '-e', 'process.exit(1)']],
    ['that says nothing of use', [process.execPath, '-e', 'console.log("[]")']],
  ])('lets the session go on with a command %s', async (_, command) => {
    const { folder, plugin } = await load(command);
    const hooks = await plugin.server({ directory: folder });
    const output = { system: [] };
    await hooks['experimental.chat.system.transform']?.({ sessionID: 's1' }, output);
    expect(output).toEqual({ system: [] });
  });

  it('finds the package of its project from where it lies', async () => {
    const local = chooseLaunch({
      agent: 'opencode',
      scope: 'project',
      isOnPath: false,
      isInProject: true,
      isGitTop: true,
      program: '/opt/pawl/bin/pawl.js',
    });
    const root = tempFolder({
      '.opencode/plugins/pawl.mjs': opencodePlugin(local).text,
      'node_modules/pawl/bin/pawl.js':
        "import { writeSync } from 'node:fs';\nwriteSync(1, JSON.stringify({ context: 'here' }));\n",
      'node_modules/pawl/package.json': '{"type": "module"}',
    });
    const url = pathToFileURL(join(root, '.opencode/plugins/pawl.mjs')).href;
    const { default: plugin } = (await import(url)) as { default: Plugin };
    const hooks = await plugin.server({ directory: tempFolder() });
    const output = { system: [] };
    await hooks['experimental.chat.system.transform']?.({ sessionID: 's1' }, output);
    expect(output).toEqual({ system: ['here'] });
  });
});
