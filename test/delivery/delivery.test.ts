import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { nonceOf, referenceOf } from "#src/delivery/delivery.ts";

describe("nonceOf", () => {
  it("is the same for the same key, and another for another", () => {
    expect(nonceOf("report|a1|c1|2026-11-19")).toBe(nonceOf("report|a1|c1|2026-11-19"));
    expect(nonceOf("report|a1|c1|2026-11-19")).not.toBe(nonceOf("report|a1|c2|2026-11-19"));
  });

  it("stays within Discord's 25 characters, whatever the key", () => {
    fc.assert(fc.property(fc.string(), (key) => /^[\w-]{25}$/.test(nonceOf(key))));
  });
});

describe("referenceOf", () => {
  it("is eight hex digits that name the delivery and nothing else", () => {
    expect(referenceOf("report|a1|c1|2026-11-19")).toMatch(/^ref [\da-f]{8}$/);
    expect(referenceOf("report|a1|c1|2026-11-19")).not.toBe(referenceOf("report|a1|c2|2026-11-19"));
  });
});
