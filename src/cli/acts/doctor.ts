import { ok } from '../../base/result.ts';
import type { Act } from '../act.ts';

export const act: Act = async (call, face) => {
  const { examineWorkspace } = await import('../../engine/maintain/doctor/doctor.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const answer = await examineWorkspace(systemEnvironment(face.place), { path: call.arguments[0] });
  return answer.ok ? ok({ command: 'doctor', answer: answer.value }) : answer;
};
