/** What something was, from when on. */
export interface Timeline<Value> {
  readonly set: (atMs: number, value: Value) => void;
  /** Undefined before there was anything. */
  readonly at: (atMs: number) => Value | undefined;
  /** Instants of the span at which it may have become something else, the first of them its beginning. */
  readonly changes: (fromMs: number, toMs: number) => readonly number[];
  /** Whether it fitted at any moment of the span, both ends included. */
  readonly everIn: (
    fromMs: number,
    toMs: number,
    fits: (value: Value | undefined) => boolean,
  ) => boolean;
}

export const createTimeline = <Value>(): Timeline<Value> => {
  const turns: { readonly atMs: number; readonly value: Value }[] = [];
  const at = (atMs: number): Value | undefined => {
    for (let place = turns.length - 1; place >= 0; place--) {
      const turn = turns[place];
      if (turn !== undefined && turn.atMs <= atMs) return turn.value;
    }
    return undefined;
  };
  const changes = (fromMs: number, toMs: number): readonly number[] => [
    fromMs,
    ...turns.flatMap(({ atMs }) => (atMs > fromMs && atMs <= toMs ? [atMs] : [])),
  ];
  return {
    set: (atMs, value) => void turns.push({ atMs, value }),
    at,
    changes,
    everIn: (fromMs, toMs, fits) => changes(fromMs, toMs).some((atMs) => fits(at(atMs))),
  };
};
