import { expect, it } from "vitest";
import { provesAbsence } from "#src/domain/reconcile.ts";

const SENT = Temporal.Instant.from("2026-11-20T12:00:00Z");

/** Whether a page of rows asked for at these times, of which the bot knew all before, proves an absence. */
const proves = (...requested: readonly (string | undefined)[]): boolean => {
  const items = requested.map((duration, index) => ({
    txid: `TX${index}`,
    requestedAt: duration === undefined ? undefined : SENT.add(duration),
    amount: undefined,
    status: undefined,
  }));
  const op = {
    kind: "turbo",
    preTxids: items.map(({ txid }) => txid),
    sentAt: SENT,
    skewMs: 0,
  } as const;
  return provesAbsence({ items, skewMs: 0 }, op, []);
};

it.each<[string, boolean, readonly (string | undefined)[]]>([
  ["newest first proves it", true, ["-PT10M", "-PT20H", "-PT30H"]],
  ["newest first but for a moment proves it", true, ["-PT10M5S", "-PT10M", "-PT30H"]],
  ["newest first but for longer proves nothing", false, ["-PT10M5.001S", "-PT10M", "-PT30H"]],
  ["S6: with undated rows proves nothing", false, ["-PT10M", undefined, "-PT30H"]],
  ["oldest first by a moment proves nothing", false, ["-PT10M1S", "-PT10M"]],
  ["that ends newer than it began proves nothing", false, ["-PT10M2S", "-PT10M3S", "-PT10M1S"]],
  ["oldest first proves nothing", false, ["-PT30H", "-PT20H", "-PT10M"]],
  [
    "in no order proves nothing: the newest may be elsewhere",
    false,
    ["-PT10M", "-PT30H", "-PT20H"],
  ],
])("a page %s", (_, expected, requested) => {
  expect(proves(...requested)).toBe(expected);
});
