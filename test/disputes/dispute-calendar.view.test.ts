import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Dispute } from "#src/disputes/dispute.ts";
import type { Locale } from "#src/shared/locale.ts";
import { disputeCalendar, disputeCalendarReply } from "#src/disputes/dispute-calendar.view.ts";
import { hostileText } from "../support/any-text.ts";
import { HOSTILE_SAMPLES, UNSEEN } from "../ui/hostile-samples.ts";
import { detailFacts, DUE, hostileDispute, INFRACTION, sampleDispute } from "./dispute-samples.ts";

const RUNS = 500;
const LONGEST_LINE_BYTES = 75;
const locales = ["pt-BR", "en-US"] as const;
const examples = [...Object.values(HOSTILE_SAMPLES), 'a;b,c\\n\\;d:"e"', "x\r\n y"].flatMap(
  (text) => locales.map((locale): [string, Locale] => [text, locale]),
);

const fileOf = async (given: Partial<Dispute> = {}, locale: Locale = "pt-BR"): Promise<string> => {
  const dispute = sampleDispute(given);
  const { data } = await disputeCalendar(detailFacts({ dispute }), locale);
  return new TextDecoder("utf-8", { fatal: true }).decode(data);
};

/** Content lines with folded lines joined. Source: RFC 5545, 3.1. */
const linesOf = (file: string): readonly string[] =>
  file.replaceAll("\r\n ", "").split("\r\n").slice(0, -1);

/** An unescaped value. Source: RFC 5545, 3.3.11. */
const meant = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, kept: string) => (/n/i.test(kept) ? "\n" : kept));

const valueOf = (lines: readonly string[], name: string): string =>
  meant(lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1) ?? "");

/** Names of the content lines: the calendar's structure. */
const shapeOf = (file: string): readonly string[] =>
  linesOf(file).map((line) =>
    line.startsWith("BEGIN:") || line.startsWith("END:") ? line : line.replace(/[:;].*$/s, ""),
  );

describe("the calendar of a dispute", () => {
  test("is one event at the deadline with alarms 24 and 6 hours before it", async () => {
    const lines = linesOf(await fileOf());
    expect(lines.slice(0, 2)).toEqual(["BEGIN:VCALENDAR", "VERSION:2.0"]);
    expect(lines.at(-1)).toBe("END:VCALENDAR");
    expect(lines.filter((line) => line === "BEGIN:VEVENT")).toHaveLength(1);
    expect(lines).toContain("DTSTART:20261122T180000Z");
    expect(lines).toContain("DTSTAMP:20261120T180000Z");
    expect(lines).toContain(`UID:${INFRACTION}@balcao`);
    expect(lines.filter((line) => line.startsWith("TRIGGER"))).toEqual([
      "TRIGGER:-P1D",
      "TRIGGER:-PT6H",
    ]);
    expect(lines.filter((line) => line === "ACTION:DISPLAY")).toHaveLength(2);
  });

  test("says what it is about, in either language, and nothing of who pays", async () => {
    const lines = linesOf(await fileOf());
    expect(valueOf(lines, "SUMMARY").replace("\u00a0", " ")).toBe("Prazo do MED de R$ 249,00");
    expect(valueOf(lines, "DESCRIPTION").replace("\u00a0", " ").split("\n")).toEqual([
      `Infração: ${INFRACTION}`,
      "Txid contestado: a41f07c98e2d4b6391d05c7f",
      "Valor: R$ 249,00",
      "Tipo: Fraude",
      "O que o pagador alega: Pagador informa que não reconhece o pagamento.",
      "Situação quando este arquivo foi feito: Precisa da sua resposta",
      "A resposta é dada no painel do serviço de pagamentos.",
    ]);
    const english = await fileOf({}, "en-US");
    expect(valueOf(linesOf(english), "SUMMARY")).toContain("Deadline of the MED");
    for (const file of [lines.join(""), english]) expect(file).not.toMatch(/Carla|482\.917/);
  });

  test("has the words of the contest whole where Discord's field has no room", async () => {
    const description = `${"Pedido 123 não entregue. ".repeat(39)}Pedi o dinheiro de volta`;
    expect(valueOf(linesOf(await fileOf({ description })), "DESCRIPTION")).toContain(description);
  });

  test("is the same event again when the deadline moved, so that calendars move it", async () => {
    const later = linesOf(await fileOf({ dueAt: DUE.add({ hours: 24 }) }));
    expect(later).toContain(`UID:${INFRACTION}@balcao`);
    expect(later).toContain("DTSTART:20261123T180000Z");
  });

  test("has a higher sequence in each later minute, so that calendars take the moved deadline", async () => {
    const sequenceAt = async (readAt: Temporal.Instant): Promise<number> => {
      const { data } = await disputeCalendar(detailFacts({ readAt }), "pt-BR");
      return Number(valueOf(linesOf(new TextDecoder().decode(data)), "SEQUENCE"));
    };
    const first = await sequenceAt(DUE.subtract({ hours: 48 }));
    expect(await sequenceAt(DUE.subtract({ hours: 48 }).add({ minutes: 1 }))).toBe(first + 1);
    // An integer of RFC 5545, 3.3.8.
    expect(await sequenceAt(Temporal.Instant.from("2100-01-01T00:00Z"))).toBeLessThan(2 ** 31);
  });

  test.each([
    [{ hours: 24, seconds: 1 }, ["-P1D", "-PT6H"], "com avisos 24 e 6 horas antes.", "24 and 6"],
    [{ hours: 24 }, ["-PT6H"], "com aviso 6 horas antes.", "with a reminder 6 hours before."],
    [{ hours: 6, seconds: 1 }, ["-PT6H"], "com aviso 6 horas antes.", "a reminder 6 hours"],
    [{ hours: 6 }, [], "Ele vai sem avisos: a hora deles já passou.", "It has no reminders"],
    [{ hours: -1 }, [], "Ele vai sem avisos: a hora deles já passou.", "It has no reminders"],
  ])("made with %j left has the alarms %j, and names no other", async (left, alarms, ...words) => {
    const detail = detailFacts({ readAt: DUE.subtract(left) });
    const { data } = await disputeCalendar(detail, "pt-BR");
    const triggers = linesOf(new TextDecoder().decode(data)).filter((line) =>
      line.startsWith("TRIGGER"),
    );
    expect(triggers).toEqual(alarms.map((each) => `TRIGGER:${each}`));
    for (const [index, locale] of (["pt-BR", "en-US"] as const).entries()) {
      const { content } = await disputeCalendarReply(detail, locale);
      expect(content).toContain(words[index]);
    }
  });

  test.each(["defended", "won", "cancelled"] as const)(
    "has no alarm once the MED is %s, and says why",
    async (state) => {
      const detail = detailFacts({ state });
      const { content, files = [] } = await disputeCalendarReply(detail, "pt-BR");
      expect(content).toContain("Ele vai sem avisos: o MED não espera resposta.");
      expect(new TextDecoder().decode(files[0]?.data)).not.toContain("VALARM");
      const english = await disputeCalendarReply(detail, "en-US");
      expect(english.content).toContain("It has no reminders: the MED awaits no answer.");
    },
  );

  test("comes as a file of its own, for its owner", async () => {
    const { files = [], content, embeds } = await disputeCalendarReply(detailFacts(), "pt-BR");
    expect(files.map(({ name, contentType }) => [name, contentType])).toEqual([
      [`med-${INFRACTION}.ics`, "text/calendar; charset=utf-8"],
    ]);
    expect(content).toContain("O prazo está no arquivo");
    expect(embeds).toBeUndefined();
  });
});

describe("the lines of the file", () => {
  test("keep a comma, a semicolon and a backslash as they were written", async () => {
    const file = await fileOf({ description: "a, b; c\\n d" });
    expect(file).toContain("a\\, b\\; c\\\\n d");
    expect(valueOf(linesOf(file), "DESCRIPTION")).toContain("a, b; c\\n d");
  });

  test(`end in CRLF, at 75 bytes at most, and have one shape: ${RUNS} texts`, async () => {
    const plain = shapeOf(await fileOf());
    await fc.assert(
      fc.asyncProperty(hostileText, fc.constantFrom(...locales), async (text, locale) => {
        const given = { infractionId: text, description: text.repeat(5) };
        const dispute = { ...hostileDispute(text), ...given };
        const { name, data } = await disputeCalendar(
          detailFacts({ dispute, state: "other" }),
          locale,
        );
        const file = new TextDecoder("utf-8", { fatal: true }).decode(data);
        expect(name).toMatch(/^med-[\w-]+\.ics$/);
        expect(file.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
        expect(file.endsWith("END:VCALENDAR\r\n")).toBe(true);
        const long = file
          .split("\r\n")
          .filter((each) => Buffer.byteLength(each) > LONGEST_LINE_BYTES);
        expect(long).toEqual([]);
        expect(shapeOf(file)).toEqual(plain);
        const seen = linesOf(file).join("");
        expect(seen).not.toMatch(UNSEEN);
      }),
      { numRuns: RUNS, examples },
    );
  });
});
