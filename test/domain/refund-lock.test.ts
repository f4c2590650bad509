import { expect, test } from "vitest";
import { refundLock } from "#src/domain/refund-lock.ts";
import { NOW } from "../support/samples.ts";

const dispute = (
  status: string,
  analysisStatus: string,
  dueInHours = 24,
  infractionId = "i-1",
) => ({
  infractionId,
  status,
  analysisStatus,
  dueAt: NOW.add({ hours: dueInHours }),
});
const open = { refused: true, infractionId: "i-1", why: "open" };
const returned = { refused: true, infractionId: "i-1", why: "returned" };

test.each([
  ["pending", "pending", 24, open],
  ["pending", "pending", -24, open],
  ["disagreed", "pending", 24, open],
  ["agreed", "pending", 24, open],
  ["novo", "pending", 24, open],
  ["pending", "em_analise", 24, open],
  ["pending", "accepted", -24, returned],
  ["agreed", "accepted", 24, returned],
  ["canceled", "accepted", 24, returned],
  ["disagreed", "rejected", 24, { refused: false }],
  ["pending", "rejected", 24, { refused: false }],
  ["canceled", "pending", 24, { refused: false }],
  ["canceled", "rejected", 24, { refused: false }],
] as const)(
  "a payment whose dispute is %s and %s, due in %i h, is locked as is right",
  (...given) => {
    const [status, analysisStatus, dueInHours, lock] = given;
    expect(refundLock([dispute(status, analysisStatus, dueInHours)], NOW)).toEqual(lock);
  },
);

test("a payment that nobody contested is free", () => {
  expect(refundLock([], NOW)).toEqual({ refused: false });
});

test("one open dispute among ended ones locks, and what was returned is said first", () => {
  const won = dispute("disagreed", "rejected", -24, "won");
  const pending = dispute("pending", "pending", 24, "pending");
  const lost = dispute("agreed", "accepted", -24, "lost");
  expect(refundLock([won, pending], NOW)).toMatchObject({ infractionId: "pending", why: "open" });
  expect(refundLock([won, pending, lost], NOW)).toMatchObject({
    infractionId: "lost",
    why: "returned",
  });
});
