import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nonceOf, referenceOf, withReference } from "#src/domain/delivery.ts";

describe("nonceOf", () => {
  it("is the same for the same key, and another for another", () => {
    expect(nonceOf("report|a1|c1|2026-11-19")).toBe(nonceOf("report|a1|c1|2026-11-19"));
    expect(nonceOf("report|a1|c1|2026-11-19")).not.toBe(nonceOf("report|a1|c2|2026-11-19"));
  });

  it("stays within Discord's 25 characters, whatever the key", () => {
    fc.assert(fc.property(fc.string(), (key) => /^[\w-]{25}$/.test(nonceOf(key))));
  });
});

describe("withReference", () => {
  const key = "report|a1|c1|2026-11-19";
  const mark = referenceOf(key);

  it("is eight hex digits that name the delivery and nothing else", () => {
    expect(mark).toMatch(/^ref [\da-f]{8}$/);
    expect(referenceOf("another")).not.toBe(mark);
  });

  it("signs the footer of the last embed and keeps what stood there", () => {
    const payload = {
      embeds: [{ title: "one" }, { title: "two", footer: { text: "Lido 21:05" } }],
    };

    expect(withReference(payload, key).embeds).toEqual([
      { title: "one" },
      { title: "two", footer: { text: `Lido 21:05 · ${mark}` } },
    ]);
  });

  it("makes a footer where there is none", () => {
    expect(withReference({ embeds: [{ title: "one" }] }, key).embeds).toEqual([
      { title: "one", footer: { text: mark } },
    ]);
  });

  it("becomes the last line of a post without embeds", () => {
    expect(withReference({ content: "Sem vendas" }, key).content).toBe(`Sem vendas\n${mark}`);
  });
});
