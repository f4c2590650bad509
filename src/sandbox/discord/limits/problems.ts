interface Leaf {
  readonly code: string;
  readonly message: string;
}

/** Discord's tree of what is wrong: keys of the body, and `_errors` at its leaves. */
export interface NestedErrors {
  readonly [key: string]: NestedErrors | readonly Leaf[];
}

/** Where in the body: keys and indexes from its top. */
export type BodyPath = readonly (string | number)[];

/** Collects what Discord would refuse in one body. */
export interface Problems {
  readonly add: (path: BodyPath, code: string, message: string) => void;
  readonly count: () => number;
  readonly nested: () => NestedErrors;
}

interface Draft {
  [key: string]: Draft | Leaf[];
}

export const collectProblems = (): Problems => {
  const root: Draft = {};
  let count = 0;
  return {
    add: (path, code, message) => {
      count++;
      let at = root;
      for (const key of path) {
        at[key] ??= {};
        at = at[key] as Draft;
      }
      const leaves = (at["_errors"] ?? []) as Leaf[];
      leaves.push({ code, message });
      at["_errors"] = leaves;
    },
    count: () => count,
    nested: () => root,
  };
};
