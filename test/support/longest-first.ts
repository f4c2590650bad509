import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Begins these tests, named by their paths in `test/`, in this order, and then the others by the times of the run
 * before. A fresh clone has no such times, and would begin small files that take long at the end.
 */
export const longestFirst = (names: readonly string[]): typeof BaseSequencer => {
  const paths = names.map((name) => join(import.meta.dirname, `../${name}.test.ts`));
  const rank = ({ moduleId }: TestSpecification): number => paths.indexOf(moduleId) + 1 || Infinity;
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).toSorted((one, other) =>
        rank(one) === rank(other) ? 0 : rank(one) - rank(other),
      );
    }
  };
};
