import { exitCodes } from '../../text/catalogue/exit-codes.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { pathArgument } from '../options.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  group: 'care',
  summary: 'examine workspace and machine, and say what mends what is amiss',
  details: [
    'Versions, manifest, programs, modules, providers and keys by name, file system, runs, coding agents. Nothing',
    'is changed, and nothing of the manifest is started. Exit code 1: something is bad; with warnings alone 0.',
  ],
  arguments: [pathArgument],
  options: [],
  examples: [{ line: 'pawl doctor --json', summary: 'every finding with its facts and its fix' }],
  async perform(call, face) {
    const { examineWorkspace } = await import('../../engine/maintain/doctor/doctor.ts');
    return present('doctor', await examineWorkspace(await environmentOf(face), { path: call.arguments[0] }), {
      loadText: async () => (await import('../../text/doctor.ts')).doctorText,
      loadFacts: async () => (await import('../../text/doctor.ts')).doctorFacts,
      exitCode: ({ counts }) => (counts.bad > 0 ? exitCodes.phaseFailed : exitCodes.done),
    });
  },
};
