import type { Launch } from './command.ts';

/**
 * A plugin is the only way to hear from opencode, so this one hands its events to `pawl hook opencode`. Version 1 calls
 * `server`, version 2 calls `setup`. What Pawl answers is put where the model reads it: the brief among the system's
 * words of each request, a warning behind the result of the tool.
 */
export function opencodePlugin(launch: Launch): { readonly text: string; readonly mark: RegExp } {
  const command = launch.isLocal
    ? "['node', fileURLToPath(new URL('../../node_modules/pawl/bin/pawl.js', import.meta.url))]"
    : JSON.stringify(launch.argv);
  return {
    text: `${mark}\n${imports(launch.isLocal)}\nconst command = ${command};\n${body}`,
    mark: markPattern,
  };
}

const mark =
  '// Made by `pawl agents install opencode`, which also brings it up to date. `uninstall` takes it out.';
const markPattern = /^\/\/ Made by `pawl agents install opencode`/;

const imports = (isLocal: boolean) =>
  `import { spawn } from 'node:child_process';\n${isLocal ? "import { fileURLToPath } from 'node:url';\n" : ''}`;

const body = `const timeoutMs = 10_000;
const sessionsMax = 100;
const writers = new Set(['write', 'edit', 'patch', 'apply_patch', 'multiedit']);

/** Hands something to Pawl, and resolves to what it says about it. Whatever goes wrong, the session goes on. */
function tell(directory, payload) {
  return new Promise((resolve) => {
    try {
      const child = spawn(command[0], [...command.slice(1), 'hook', 'opencode'], {
        cwd: directory,
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: timeoutMs,
      });
      let answer = '';
      child.on('error', () => resolve(''));
      child.stdin.on('error', () => {});
      child.stdout.on('data', (chunk) => {
        answer += chunk;
      });
      child.on('close', () => resolve(contextOf(answer)));
      child.stdin.end(JSON.stringify({ directory, ...payload }));
    } catch {
      resolve('');
    }
  });
}

function contextOf(answer) {
  try {
    const { context } = JSON.parse(answer);
    return typeof context === 'string' ? context : '';
  } catch {
    return '';
  }
}

/** What both versions do, each with its own names. */
function pawl(directory) {
  const briefs = new Map();
  return {
    /** Asked for once in a session, and again when its context was cut down. */
    brief(sessionID) {
      const known = briefs.get(sessionID);
      if (known?.text !== undefined) return known.text;
      const hook = known === undefined ? 'session.created' : 'session.compacted';
      const text = tell(directory, { hook, sessionID });
      briefs.set(sessionID, { text });
      if (briefs.size > sessionsMax) briefs.delete(briefs.keys().next().value);
      return text;
    },
    async compacting(sessionID) {
      await tell(directory, { hook: 'experimental.session.compacting', sessionID });
      briefs.set(sessionID, {});
    },
    async used(sessionID, tool, args) {
      return writers.has(tool) ? tell(directory, { hook: 'tool.execute.after', sessionID, tool, args }) : '';
    },
    async happened(type, properties) {
      if (type === 'session.deleted') briefs.delete(properties?.sessionID ?? properties?.info?.id);
      if (type === 'session.idle' || type === 'session.deleted')
        await tell(directory, { event: { type, properties } });
    },
  };
}

export default {
  id: 'pawl',

  async server({ directory }) {
    const { brief, compacting, used, happened } = pawl(directory);
    return {
      async 'experimental.chat.system.transform'({ sessionID }, { system }) {
        const text = sessionID === undefined ? '' : await brief(sessionID);
        if (text !== '') system.push(text);
      },
      async 'experimental.session.compacting'({ sessionID }) {
        await compacting(sessionID);
      },
      async 'tool.execute.after'({ sessionID, tool, args }, output) {
        const text = await used(sessionID, tool, args);
        if (text !== '') output.output = \`\${output.output}\\n\\n\${text}\`;
      },
      async event({ event }) {
        await happened(event.type, event.properties);
      },
    };
  },

  async setup(ctx) {
    const { brief, compacting, used, happened } = pawl(ctx.location?.directory ?? process.cwd());
    await ctx.session.hook('context', async (event) => {
      const text = await brief(event.sessionID);
      if (text !== '') event.system.push({ type: 'text', text });
    });
    await ctx.session.hook('compaction', async (event) => {
      await compacting(event.sessionID);
    });
    await ctx.tool.hook('execute.after', async (event) => {
      if (event.status !== 'completed') return;
      const text = await used(event.sessionID, event.tool, event.input);
      if (text === '') return;
      const { content } = event.result;
      if (typeof content === 'string') event.result = { ...event.result, content: \`\${content}\\n\\n\${text}\` };
      if (Array.isArray(content)) event.result = { ...event.result, content: [...content, { type: 'text', text }] };
    });
    const end = new AbortController();
    (async () => {
      for await (const event of ctx.event.subscribe({ signal: end.signal })) await happened(event.type, event.data);
    })().catch(() => {});
    return () => end.abort();
  },
};
`;
