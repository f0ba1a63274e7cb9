import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { demand, run } from '../../../test/fixtures/memory.ts';
import { sprites } from '../../../test/fixtures/sprites.ts';
import type { InspectedAttempt, InspectedUnit } from '../../engine/observe/inspected.ts';
import { gatherPage } from '../../engine/show/page/gather.ts';
import type { PagePicture, PageUnit, ReportPage } from '../../engine/show/page/page.ts';
import { pageMark, reportHtml } from './page.ts';

const hostile = `"><script>alert('x')</script><img src=x onerror=alert(1)>&lt;\u202e`;

const attempt: InspectedAttempt = {
  phase: 'draw',
  attempt: 1,
  iteration: 1,
  startedAt: '2026-11-15T12:03:11.000Z',
  why: undefined,
  outcome: 'succeeded',
  superseded: undefined,
  ms: 20,
  cost: undefined,
  intent: undefined,
  call: undefined,
  verdict: undefined,
  passed: undefined,
  score: undefined,
  scores: undefined,
  defects: [],
  decision: undefined,
  failure: undefined,
  message: undefined,
  facts: undefined,
  inputs: {},
  outputs: [],
};

const unit: InspectedUnit = {
  unit: 'f0',
  index: undefined,
  stage: 'frames',
  status: 'succeeded',
  cells: [{ phase: 'draw', status: 'succeeded' }],
  attemptsMost: 1,
  verdict: undefined,
  score: undefined,
  bestScore: undefined,
  attempts: [attempt],
  gates: [],
};

function pageOf(units: readonly Partial<PageUnit>[], more: Partial<ReportPage> = {}): ReportPage {
  return {
    heading: {
      run: '20261115-1203-sprites-x7k2',
      pipeline: 'sprites',
      identity: { character: 'blaze' },
      status: 'completed',
      workspace: '.',
      createdAt: '2026-11-15T12:03:11.000Z',
      updatedAt: '2026-11-15T12:04:11.000Z',
    },
    root: '/work',
    folder: 'runs/a',
    unitKey: 'frame',
    doneKey: 'approved',
    madeAt: '2026-11-15T13:00:00.000Z',
    manifests: [{ hash: 'sha256:aaaa', at: '2026-11-15T12:03:11.000Z' }],
    resumes: 0,
    totals: { units: 1, unitsFinished: 1, attempts: 1, failed: 0, sentBack: 0, ms: 20, cost: undefined },
    refusals: [],
    notices: [],
    findings: [],
    stages: [
      {
        name: 'frames',
        isResult: false,
        units: units.map((shown) => ({ unit, final: [], tries: [], texts: [], ...shown })),
      },
    ],
    unitsLeftOut: 0,
    pictures: { shown: 0, leftOut: 0 },
    ...more,
  };
}

function picture(width: number, height: number): PagePicture {
  return {
    output: 'frame',
    path: 'runs/a/f0.png',
    content: { kind: 'embedded', type: 'image/png', base64: 'AAAA', width, height },
  };
}

/** Every tag with its attributes, as a browser would read it. */
function tagsOf(html: string): string[] {
  return html.match(/<[a-z!/][^>]*>/gi) ?? [];
}

describe('a page', () => {
  it('holds no text of a run as markup, wherever it stands', () => {
    const judged = {
      ...attempt,
      phase: hostile,
      verdict: hostile,
      passed: false,
      scores: { [hostile]: 0.5 },
      defects: [hostile],
      decision: { is: 'approved', by: hostile, note: hostile },
    } as const;
    const failed = { ...attempt, outcome: 'failed', failure: hostile, message: hostile, facts: {} } as const;
    const shown = { ...picture(4, 4), output: hostile, path: hostile };
    const said = {
      unit: {
        ...unit,
        unit: hostile,
        status: 'failed',
        verdict: hostile,
        cells: [
          { phase: hostile, status: 'failed' },
          { phase: 'b', status: 'pending' },
        ],
      },
      tries: [
        { attempt: judged, judged, pictures: [shown] },
        { attempt: failed, judged: undefined, pictures: [shown] },
      ],
      texts: [{ phase: hostile, output: hostile, path: hostile, text: hostile, isCut: true }],
    } as const;
    const html = reportHtml(
      pageOf([{ ...said, final: [shown, shown] }, said], {
        heading: {
          ...pageOf([]).heading,
          run: hostile,
          pipeline: hostile,
          identity: { [hostile]: hostile },
          createdAt: hostile,
        },
        doneKey: hostile,
        folder: hostile,
        manifests: [{ hash: hostile, at: hostile }],
        notices: [{ code: 'unit-removed', unit: hostile }],
        findings: [{ code: 'orphan-file', file: hostile, weight: 'quiet' }],
      }),
    );
    expect(html.split('alert(').length).toBeGreaterThan(30);
    expect(html).not.toContain('\u202e');
    const tags = tagsOf(html);
    expect(tags.filter((tag) => /^<script/i.test(tag))).toEqual(['<script>']);
    expect(tags.filter((tag) => / on[a-z]+=(?!&)/i.test(tag.replaceAll(/"[^"]*"/g, '')))).toEqual([]);
    expect(
      tags
        .filter((tag) => tag.startsWith('<img'))
        .every((tag) => /src="data:/.test(tag) || /^<img class="pixels" alt/.test(tag)),
    ).toBe(true);
  });

  it('asks nothing of anybody: its policy allows its own style and script, and pictures in itself', () => {
    const html = reportHtml(pageOf([{ final: [picture(4, 4)] }]));
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
    const hashOf = (tag: string) => {
      const text = html.slice(html.indexOf(`<${tag}>`) + tag.length + 2, html.indexOf(`</${tag}>`));
      return `&#39;sha256-${createHash('sha256').update(text).digest('base64')}&#39;`;
    };
    expect(policy.split('; ')).toEqual([
      'default-src &#39;none&#39;',
      'img-src data:',
      `style-src ${hashOf('style')}`,
      `script-src ${hashOf('script')}`,
      'base-uri &#39;none&#39;',
      'form-action &#39;none&#39;',
    ]);
    expect(html).not.toMatch(/https?:|\/\/[a-z]|url\(|@import|<link|<iframe|style="/i);
  });

  it('can be told by its first bytes', () => {
    expect(reportHtml(pageOf([])).slice(0, 200)).toContain(pageMark);
  });

  it('shows small pictures by a whole number of times, large ones within bounds, and all of them in order', () => {
    const html = reportHtml(
      pageOf([
        { final: [picture(64, 48), picture(3000, 1500)] },
        {
          final: [{ ...picture(1, 1), content: { kind: 'left-out', because: 'too-much', size: 3_000_000 } }],
        },
        { unit: { ...unit, status: 'pending', attempts: [], attemptsMost: 0 } },
      ]),
    );
    expect(html).toContain('<img class="final pixels" width="256" height="192" alt="f0, frame"');
    expect(html).toContain('<img width="64" height="32"');
    expect(html).toContain('left out: 2.9 MB');
    expect(html).toContain('no picture');
  });

  it('says what is not in it, and what is not as it should be', () => {
    const html = reportHtml(
      pageOf([{}], {
        unitsLeftOut: 7,
        pictures: { shown: 3, leftOut: 2 },
        findings: [{ code: 'checksum-differs', file: 'events/1.jsonl', line: 3, weight: 'loud' }],
        manifests: [
          { hash: 'sha256:aaaa', at: '2026-11-15T12:03:11.000Z' },
          { hash: 'sha256:bbbb', at: '2026-11-15T12:30:00.000Z' },
        ],
        resumes: 2,
      }),
    );
    expect(html).toContain('7 units left out: there are too many for a page');
    expect(html).toContain('2 pictures left out: too large for a page, or not to be had any more');
    expect(html).toContain('events/1.jsonl:3: a line was changed');
    expect(html).toContain('changed 1 time');
    expect(html).toMatch(
      /sha256:aaaa.*since 2026-11-15 12:03:11 UTC.*sha256:bbbb.*since 2026-11-15 12:30:00 UTC/,
    );
  });

  it('tells how the loop of a gate ended, and which round was the best', () => {
    const judged = (number: number, score: number) =>
      ({
        ...attempt,
        phase: 'look',
        attempt: number,
        iteration: number,
        verdict: 'bad',
        passed: false,
        score,
      }) as const;
    const tries = [judged(1, 0.8), judged(2, 0.5)].map((one) => ({
      attempt: one,
      judged: one,
      pictures: [],
    }));
    const rounds = tries.map(({ attempt: { attempt: number, score } }) => ({
      round: number,
      attempt: number,
      verdict: 'bad',
      passed: false,
      score,
      scores: undefined,
      defects: [],
      cost: undefined,
      outputs: [],
    }));
    const gates = [{ phase: 'look', stopped: 'regression', best: 1, kept: 1, rounds } as const];
    const html = reportHtml(pageOf([{ unit: { ...unit, gates }, tries }]));
    expect(html).toContain('look: ended after 2 rounds, and the score fell; round 1 is the best, and stands');
    expect(html.match(/best round/g)).toHaveLength(1);
    expect(html).toContain('look #1 · 20 ms · best round');
  });

  it('of a run that completed although a unit failed says so', () => {
    const failed = { unit: { ...unit, unit: 'f1', status: 'failed' } } as const;
    expect(reportHtml(pageOf([{}, failed]))).toContain('completed with 1 failure');
  });

  it('is made from a run: results on top, a card for each unit, its attempts, filters, and what moves', async () => {
    const { env, definition, target, bad } = sprites();
    bad.f2 = 0;
    await run(env, definition);
    const html = reportHtml(demand(await gatherPage(env, target)));
    const cards = [...html.matchAll(/<article class="(\w+) (\w+)" id="(u\d)"( data-retried)?>/g)];
    expect(cards.map(([, ...facts]) => facts)).toEqual([
      ['result', 'good', 'u1', undefined],
      ['card', 'good', 'u2', undefined],
      ['card', 'good', 'u3', ' data-retried'],
      ['card', 'good', 'u4', undefined],
    ]);
    expect(html.match(/<li class="(?:bad|good)" title="[^"]*">/g)).toEqual([
      '<li class="bad" title="attempt 1, disliked">',
      '<li class="good" title="attempt 2, liked">',
    ]);
    expect(html).toContain('feet in the air');
    expect(html).toContain('data-show="retried" aria-pressed="false">With retries <b>1</b>');
    expect(html).toContain('data-show="bad" aria-pressed="false" disabled>Failed <b>0</b>');
    expect(html).toContain('class="player" data-frames="s1"');
  });
});
