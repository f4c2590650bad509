/**
 * Remembers when each answer was asked for. The wallet client hands one answer to everybody who asks for the same
 * within two seconds, so an answer may be older than the question of whoever gets it. What answers leave behind is
 * forgotten with them.
 */
export interface ReadingTimes<Answer> {
  /** When the answer was first asked for: whatever happened later may be missing from it. */
  readonly firstAsked: (answer: Answer, askedAt: Temporal.Instant) => Temporal.Instant;
}

export const createReadingTimes = <Answer extends object>(): ReadingTimes<Answer> => {
  const asked = new WeakMap<Answer, Temporal.Instant>();
  return {
    firstAsked: (answer, askedAt) => {
      const before = asked.get(answer);
      const first =
        before !== undefined && Temporal.Instant.compare(before, askedAt) < 0 ? before : askedAt;
      asked.set(answer, first);
      return first;
    },
  };
};
