import { z } from 'zod';
import { changePolicy, text } from './schema-parts.ts';

/** How many units one pipeline may list. */
const unitsMax = 1_000_000;

const order = z
  .enum(['free', 'chain'])
  .optional()
  .describe(
    '`free`: a unit starts as soon as its needs are finished; `chain`: each after the one before it. Default: `free`',
  );
const onChange = changePolicy
  .optional()
  .describe(
    'When fields of a unit, or its own file, changed. Default: `rerun`; for fields written in the manifest `refuse`',
  );
const idPattern = text
  .optional()
  .describe(
    'A pattern for the unit’s name. Default: `{index}` of counted units, `{stem}` of files; of a list the item, or its `id`',
  );

const unitItem = z.union([
  z.string(),
  z
    .looseObject({
      id: z.string().describe('The unit’s name'),
      needs: z.array(z.string()).optional().describe('Units that must be finished first'),
    })
    .describe('A unit with fields of its own'),
]);

const unitList = z.array(unitItem).max(unitsMax);

const ownFile = text
  .optional()
  .describe(
    'The field with the path of the unit’s own file, relative to the workspace: phases that need no other phase take it as the input `file`, others with `inputs: { file: unit.file }`',
  );

/** Which fields of an item say how it is handed out. They are no part of what its results were made from. */
const itemFields = {
  needs: text
    .optional()
    .describe('The field that lists the units which must be finished first. Default: `needs`'),
  title: text.optional().describe('The field with what people call it. Default: `title`'),
  priority: text
    .optional()
    .describe(
      'The field with a number, `P0` to `P9`, or `critical`, `high`, `medium`, `low`: lower ones are handed out first. What says nothing is medium, which is 2',
    ),
  touches: z
    .union([text, z.array(text).min(1).max(20)])
    .optional()
    .describe(
      'Fields that list paths which its work touches: units that touch the same path, a folder and something in it, or what a wildcard (`src/**`) may mean, are not handed out at once',
    ),
  beside: text
    .optional()
    .describe(
      'The field that lists units which it may be worked on beside all the same; it is enough that one of two says so',
    ),
};

/** What goes through the phases, in any of its forms. */
export const units = z
  .union([
    unitList,
    z.strictObject({
      list: unitList.describe('Names, or units with fields of their own'),
      file: ownFile,
      order,
      on_change: onChange,
    }),
    z.strictObject({
      count: z.int().min(0).max(unitsMax).describe('So many units, known by their index'),
      start: z.int().min(0).max(1_000_000_000).optional().describe('The first index. Default: `0`'),
      id: idPattern,
      order,
      on_change: onChange,
    }),
    z.strictObject({
      from: text.describe('A list in a declared YAML or JSON file, as FILE.KEY: `outline.scenes`'),
      id: idPattern,
      file: ownFile,
      ...itemFields,
      order,
      on_change: onChange,
    }),
    z.strictObject({
      artifact: text.describe(
        'A list in an output of an earlier stage with one unit, as PHASE.OUTPUT.KEY: `plan.graph.tasks`. Nothing of the stage starts before that is made',
      ),
      id: idPattern,
      file: ownFile,
      ...itemFields,
      order,
      on_change: onChange,
    }),
    z.strictObject({
      glob: text.describe(
        'Files of the workspace: `src/*.txt`; fields for `id` are `path`, `name`, `stem` and `folder` (the name of the folder that holds the file), and the unit’s own field is `path`. The file is the unit’s own file: phases that need no other phase take it as the input `file`, others with `inputs: { file: unit.file }`',
      ),
      id: idPattern,
      order,
      on_change: onChange,
    }),
  ])
  .meta({ id: 'units' });
