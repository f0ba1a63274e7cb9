import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { ok, type Result } from '../base/result.ts';
import type { Target } from '../engine/open/requests.ts';
import type { InspectAnswer } from '../engine/show/inspect.ts';
import { inspectRun } from '../engine/show/inspect.ts';
import type { StatusAnswer } from '../engine/show/status.ts';
import { showStatus } from '../engine/show/status.ts';
import { showResumeReport } from './answer.ts';
import { showHidden, showHiddenIn } from './data.ts';
import { fitting } from './parts.ts';
import { catchDiskErrors, describeTrouble, type McpTrouble } from './problems.ts';
import { findRunIds, type Session, targetIn } from './session.ts';
import type { Connection } from './tool.ts';

/** One document about a run. */
interface View {
  readonly name: 'status' | 'ledger' | 'report';
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  read(session: Session, target: Target): Promise<Result<string, McpTrouble>>;
}

const views: readonly View[] = [
  {
    name: 'status',
    title: 'Status of a run',
    description: 'Where the run stands: every unit with the status of each phase.',
    mimeType: 'application/json',
    async read({ env }, target) {
      const status = await showStatus(env, target);
      return status.ok ? ok(json(statusDocument(status.value))) : status;
    },
  },
  {
    name: 'ledger',
    title: 'Ledger of a run',
    description: 'Every unit with every attempt: what came of it, what it consumed and made, by hash.',
    mimeType: 'application/json',
    async read({ env }, target) {
      const inspected = await inspectRun(env, target);
      return inspected.ok ? ok(json(ledgerDocument(inspected.value))) : inspected;
    },
  },
  {
    name: 'report',
    title: 'Resume report of a run',
    description: 'What somebody needs to know who comes to the run anew: how far it is, and what comes next.',
    mimeType: 'text/plain',
    async read({ env }, target) {
      const reported = await showResumeReport(env, target);
      return reported.ok ? ok(showHidden(reported.value.text)) : reported;
    },
  },
];

/** `run://ID/status`, `run://ID/ledger` and `run://ID/report` of every run. */
export function offerResources({ server, session, turns }: Connection): void {
  for (const view of views) {
    const template = new ResourceTemplate(`run://{id}/${view.name}`, {
      list: () => turns.beside(() => listResources(session, view)),
      complete: { id: (begun) => findRunIds(session, begun) },
    });
    const { title, description, mimeType } = view;
    server.registerResource(`run-${view.name}`, template, { title, description, mimeType }, (uri, { id }) =>
      turns.beside(() => read(session, view, uri, String(id))),
    );
  }
}

async function listResources(
  session: Session,
  { name, title, mimeType }: View,
): Promise<ListResourcesResult> {
  const ids = await findRunIds(session, '');
  return {
    resources: ids.map((id) => ({
      uri: `run://${encodeURIComponent(id)}/${name}`,
      name: `${id}-${name}`,
      title: showHidden(`${title} ${id}`),
      mimeType,
    })),
  };
}

async function read(session: Session, view: View, uri: URL, id: string): Promise<ReadResourceResult> {
  const run = decoded(id);
  const text = await catchDiskErrors(async () => {
    const target = targetIn(session, { run });
    return target.ok ? await view.read(session, target.value) : target;
  });
  if (text.ok) return { contents: [{ uri: uri.href, mimeType: view.mimeType, text: text.value }] };
  const { reason } = text.failure;
  if (reason === 'run-not-found' || reason === 'no-run' || reason === 'manifest-not-found')
    throw new ResourceNotFoundError(uri.href);
  const described = describeTrouble(text.failure);
  throw new ProtocolError(
    ProtocolErrorCode.InternalError,
    showHidden(described.text),
    showHiddenIn(described.document),
  );
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function statusDocument({ units, extent, ...rest }: StatusAnswer): object {
  const { items, total } = fitting(units);
  const { unitKey, doneKey } = extent;
  const finished = extent.units.filter((unit) => unit.finished).length;
  return { ok: true, ...rest, extent: { unitKey, doneKey, finished }, units: items, total };
}

function ledgerDocument({ units, ...rest }: InspectAnswer): object {
  const { items, total } = fitting(units);
  return { ok: true, ...rest, units: items, total };
}

function json(document: object): string {
  return JSON.stringify(showHiddenIn(document));
}
