import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cut, embed, type EmbedParts, fitTogether } from "#src/ui/embed.ts";
import { buttonRow, modal, reply, selectRow } from "#src/ui/reply.ts";
import { hostileText } from "../support/any-text.ts";
import { brokenLimits, brokenModalLimits } from "./message-limits.ts";

/** Up to twice Discord's maximum. */
const longText = fc
  .tuple(hostileText, fc.integer({ min: 1, max: 400 }))
  .map(([text, times]) => text.repeat(times).slice(0, 9_000));
const fields = fc.array(fc.record({ name: longText, value: longText }), { maxLength: 30 });
const parts: fc.Arbitrary<EmbedParts> = fc.record({
  title: longText,
  description: fc.option(longText, { nil: undefined }),
  fields,
  footer: fc.option(longText, { nil: undefined }),
});

describe("a reply", () => {
  test("is within Discord's limits, whatever it is made of", () => {
    const buttons = fc.array(fc.record({ label: longText }), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(parts, buttons, (given, labels) => {
        const rows = Array.from({ length: 6 }, (_, row) =>
          buttonRow(
            ...labels.map(({ label }, place) => ({
              id: `a:b:${row}-${place}`,
              label: `.${label}`,
              style: "primary" as const,
            })),
          ),
        );
        expect(brokenLimits(reply(given, ...rows))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("clears the buttons of the message that it edits when it has none", () => {
    expect(reply({ title: "x" }).components).toEqual([]);
  });
});

describe("several embeds", () => {
  test("hold 6000 characters together, with every title and footer that fits", () => {
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 12 }), (given) => {
        const embeds = fitTogether(given.map(embed));
        expect(brokenLimits({ embeds })).toEqual([]);
        expect(embeds.length).toBeGreaterThan(0);
      }),
      { numRuns: 100 },
    );
  });

  test("lose their last fields first, never their title or footer", () => {
    const value = "x".repeat(1_000);
    const [shown] = fitTogether([
      embed({
        title: "Vendas",
        footer: "ref a1b2c3d4",
        fields: Array.from({ length: 10 }, (_, place) => ({ name: `${place}`, value })),
      }),
    ]);
    expect(shown).toMatchObject({ title: "Vendas", footer: { text: "ref a1b2c3d4" } });
    expect(shown?.fields?.map(({ name }) => name)).toEqual(["0", "1", "2", "3", "4"]);
  });

  test("have at most 25 fields each", () => {
    const fields = Array.from({ length: 30 }, (_, place) => ({ name: `${place}`, value: "x" }));
    expect(embed({ fields }).fields).toHaveLength(25);
  });

  test("show a dash where a field would be empty, which Discord refuses", () => {
    expect(embed({ fields: [{ name: "a", value: " \n" }] }).fields).toEqual([
      { name: "a", value: "—" },
    ]);
  });
});

describe("a text that is too long", () => {
  test("is cut to the limit, between characters and outside code", () => {
    fc.assert(
      fc.property(longText, fc.integer({ min: 0, max: 5_000 }), (text, max) => {
        const shown = cut(text, max);
        expect(shown.length).toBeLessThanOrEqual(max);
        if (text.length <= max) expect(shown).toBe(text);
        else if (text.isWellFormed()) expect(shown.isWellFormed()).toBe(true);
        if (shown !== text) expect((shown.split("`").length - 1) % 2).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  test("never sets free what stands in code", () => {
    expect(cut("ver `@everyone agora`", 12)).toBe("ver …");
  });
});

test("a form is within Discord's limits", () => {
  fc.assert(
    fc.property(longText, longText, (title, label) => {
      const field = { id: "f", label, placeholder: label, required: true } as const;
      const form = modal({
        customId: "a:b:",
        title,
        fields: Array.from({ length: 7 }, () => field),
      });
      expect(brokenModalLimits(form)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test("a menu offers at most 25 things", () => {
  const options = Array.from({ length: 30 }, (_, place) => ({
    value: `${place}`,
    label: "x".repeat(200),
    chosen: false,
  }));
  const [menu] = selectRow({ id: "a:b:", placeholder: "y".repeat(200), options }).components;
  const shown = menu as { options: { label: string }[]; placeholder: string };
  expect([shown.options.length, shown.options[0]?.label.length, shown.placeholder.length]).toEqual([
    25, 100, 150,
  ]);
});
