import { join } from 'node:path';
import { type CallToolResult, Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';
import { afterFile } from '../support/after-file.ts';
import { projectRoot, type TestWorkspace } from '../support/workspace.ts';

/** A client of the official library, connected to a server of its own over real pipes. */
export interface Connected {
  readonly client: Client;
  readonly pid: number;
  /** What the server has written to stderr so far. */
  stderr(): string;
  /** Calls a tool that has to answer. */
  call<T = Document>(tool: string, request?: Readonly<Record<string, unknown>>): Promise<T>;
  /** Calls a tool that has to refuse. */
  refused(tool: string, request?: Readonly<Record<string, unknown>>): Promise<Refusal>;
  /** The whole result, whatever it is. */
  result(tool: string, request?: Readonly<Record<string, unknown>>): Promise<CallToolResult>;
}

/** The parts of a document that tests look at. */
export interface Document {
  readonly ok: boolean;
  readonly task?: { readonly unit: string; readonly attempt: number; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

export interface Refusal extends Document {
  readonly reason: string;
  readonly message: string;
  readonly next: readonly string[];
  /** The same in words. */
  readonly text: string;
}

export interface ConnectOptions extends ClientOptions {
  /** What stands behind `pawl mcp`. */
  readonly args?: readonly string[];
  readonly name?: string;
  /** The folder that the server is started in; the workspace when nothing is said. */
  readonly cwd?: string;
}

export async function connect(workspace: TestWorkspace, options: ConnectOptions = {}): Promise<Connected> {
  const { args = [], name = 'tester', cwd = workspace.root, ...clientOptions } = options;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(projectRoot, 'bin/pawl.js'), 'mcp', ...args],
    cwd,
    env: { ...workspace.env },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (piece: Buffer) => {
    stderr += piece.toString();
  });
  const client = new Client({ name, version: '1' }, clientOptions);
  afterFile(() => client.close());
  await client.connect(transport);
  const result: Connected['result'] = (tool, request = {}) =>
    client.callTool({ name: tool, arguments: { ...request } });
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    result,
    async call<T>(tool: string, request?: Readonly<Record<string, unknown>>) {
      const answer = await result(tool, request);
      expect(answer.isError, textOf(answer)).not.toBe(true);
      expect(textOf(answer)).not.toBe('');
      return answer.structuredContent as T;
    },
    async refused(tool, request) {
      const answer = await result(tool, request);
      expect(answer.isError, textOf(answer)).toBe(true);
      return { ...(answer.structuredContent as unknown as Refusal), text: textOf(answer) };
    },
  };
}

/** All that a result says in words. */
export function textOf({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
