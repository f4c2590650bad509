const transitionsOf = (
  timeZone: string,
  from: Temporal.Instant,
  to: Temporal.Instant,
): readonly Temporal.Instant[] => {
  const found: Temporal.Instant[] = [];
  let next = from.toZonedDateTimeISO(timeZone).getTimeZoneTransition("next");
  while (next !== null && Temporal.Instant.compare(next.toInstant(), to) < 0) {
    found.push(next.toInstant());
    next = next.getTimeZoneTransition("next");
  }
  return found;
};

export interface Transition {
  readonly timeZone: string;
  readonly at: Temporal.Instant;
}

/** Every offset change of every zone known to this runtime. */
export const allTransitions = (from: string, to: string): readonly Transition[] =>
  Intl.supportedValuesOf("timeZone").flatMap((timeZone) =>
    transitionsOf(timeZone, Temporal.Instant.from(from), Temporal.Instant.from(to)).map((at) => ({
      timeZone,
      at,
    })),
  );

/** Times of day around the offset change, and one far from it. */
export const tellingTimes = ({ timeZone, at }: Transition): readonly Temporal.PlainTime[] => {
  const after = at.toZonedDateTimeISO(timeZone);
  const before = after.subtract({ seconds: 1 });
  const justBefore = before.toPlainTime().round({ smallestUnit: "minute", roundingMode: "floor" });
  const justAfter = after.toPlainTime().round({ smallestUnit: "minute", roundingMode: "ceil" });
  return [justBefore, justAfter, justBefore.add({ minutes: 20 }), new Temporal.PlainTime(12)];
};
