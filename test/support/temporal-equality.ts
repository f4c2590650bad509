import { expect } from "vitest";

/** Temporal's values have no properties: `toMatchObject` would take any two of one type for equal. */
const isTemporal = (value: unknown): value is Temporal.Instant | Temporal.PlainDate =>
  Object.prototype.toString.call(value).startsWith("[object Temporal.");

const isSame = (one: unknown, other: unknown): boolean | undefined =>
  isTemporal(one) && isTemporal(other)
    ? one[Symbol.toStringTag] === other[Symbol.toStringTag] && one.toString() === other.toString()
    : undefined;

// A worker runs this before each of its files, and keeps what was added.
const ADDED = Symbol.for("balcao.temporal-equality");
if (Reflect.get(globalThis, ADDED) !== true) {
  expect.addEqualityTesters([isSame]);
  Reflect.set(globalThis, ADDED, true);
}
