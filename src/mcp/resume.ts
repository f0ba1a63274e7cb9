import { ok, type Result } from '../base/result.ts';
import type { Environment } from '../engine/open/environment.ts';
import type { Target } from '../engine/open/requests.ts';
import { type ResumeReport, resumeReport } from '../engine/show/resume.ts';
import type { Failure } from '../model/failure.ts';
import { resumeText } from '../text/resume.ts';
import { plainStyle } from '../text/style/style.ts';

/** What somebody needs to know who comes to a run anew, in words and as data. */
export async function reportOf(
  env: Environment,
  target: Target,
): Promise<Result<{ readonly text: string; readonly report: ResumeReport }, Failure>> {
  const report = await resumeReport(env, target);
  return report.ok ? ok({ text: resumeText(report.value, plainStyle), report: report.value }) : report;
}
