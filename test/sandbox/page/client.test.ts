import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import fc from "fast-check";
import {
  knownChoices,
  matchChoices,
  matchCommands,
  matchOptions,
  parseCommandLine,
  valueOf,
} from "#src/sandbox/page/client/command-line.ts";
import { demoTextsIn, ENGLISH_FRAME } from "#src/sandbox/page/client/demo-texts.ts";
import { textsIn } from "#src/sandbox/page/client/texts.ts";
import { walletTextsIn } from "#src/sandbox/page/client/wallet-texts.ts";
import type { PageCommand, PageOption, PageView } from "#src/sandbox/page/page-view.ts";
import { parseMarkdown, type Piece } from "#src/sandbox/page/client/markdown.ts";
import {
  fieldTime,
  messageTime,
  nextReportLabel,
  timestampText,
} from "#src/sandbox/page/client/times.ts";
import { isLocal } from "#src/sandbox/page/client/message.ts";
import { inTimeOrder } from "#src/sandbox/page/client/message-list.ts";
import { currency, typedReais } from "#src/sandbox/page/client/wallet-panel.ts";

const option = (name: string, type: PageOption["type"], more: Partial<PageOption> = {}) => ({
  name,
  label: name,
  type,
  description: "",
  required: false,
  autocomplete: false,
  choices: [],
  ...more,
});
const command = (
  name: string,
  subcommand: string | null,
  ...options: PageOption[]
): PageCommand => ({ place: "guild", name, subcommand, description: "", options });

const CANAL = option("canal", "channel");
const CONFIG = command("config", "relatorio", CANAL, option("horario", "string"));
const CONNECT = command("conta", "conectar", option("membro", "user"));
const SALES = command("vendas", null, option("data", "string"));
const COMMANDS = [CONNECT, SALES, CONFIG];

const VIEW = {
  roles: [{ id: "1180000000000000401", name: "Equipe" }],
  people: [{ id: "1180000000000000202", name: "Bruno" }],
  channels: [
    { id: "1180000000000000102", name: "vendas", kind: "guild", topic: "" },
    { id: "direct", name: "Balcão", kind: "direct", topic: "" },
  ],
} as unknown as PageView;
const TEXTS = textsIn("pt-BR");

describe("a command without an answer", () => {
  const ids = (messages: readonly string[], attempts: readonly string[]) =>
    inTimeOrder(
      messages.map((id) => ({ id })),
      attempts.map((after) => ({ key: `after ${after}`, after })),
    ).map((row) => ("key" in row ? row.key : row.id));

  test("stays above every later answer, also where the one before it was dismissed", () => {
    expect(ids(["90", "100", "110"], ["100"])).toEqual(["90", "100", "after 100", "110"]);
    expect(ids(["90", "110"], ["100"])).toEqual(["90", "after 100", "110"]);
    expect(ids(["90", "100"], ["100", "100"])).toEqual(["90", "100", "after 100", "after 100"]);
    expect(ids(["90", "100"], ["100", "90"])).toEqual(["90", "after 90", "100", "after 100"]);
    expect(ids(["90"], [""])).toEqual(["after ", "90"]);
    expect(ids([], ["", "100"])).toEqual(["after ", "after 100"]);
  });
});

test("files of this machine are shown, by whichever of its names the page was opened", () => {
  expect(isLocal("http://127.0.0.1:4011/attachments/1/2/qr.png")).toBe(true);
  expect(isLocal("http://localhost:4011/attachments/1/2/qr.png")).toBe(true);
  expect(isLocal("https://cdn.example/qr.png")).toBe(false);
  expect(isLocal("http://127.0.0.1.example/qr.png")).toBe(false);
});

describe("a line being typed", () => {
  test("offers the commands that it may mean, those that begin so first", () => {
    expect(matchCommands(COMMANDS, "/con")).toEqual([CONNECT, CONFIG]);
    expect(matchCommands(COMMANDS, "/RELATÓRIO")).toEqual([CONFIG]);
    expect(matchCommands(COMMANDS, "/")).toEqual(COMMANDS);
    expect(matchCommands(COMMANDS, "/saque")).toEqual([]);
  });

  test("is a command once its whole name and a space are there", () => {
    expect(parseCommandLine(COMMANDS, "/conta conectar")).toBeUndefined();
    expect(parseCommandLine(COMMANDS, "/conta ")).toBeUndefined();
    expect(parseCommandLine(COMMANDS, "/conta conectar ")?.command).toBe(CONNECT);
  });

  test("holds its options by name, colons and spaces within them included", () => {
    const typed = parseCommandLine(
      COMMANDS,
      "/config relatorio canal:#vendas horario:21:05 em ponto",
    );
    expect(typed?.texts).toEqual(
      new Map([
        ["canal", "#vendas"],
        ["horario", "21:05 em ponto"],
      ]),
    );
  });
});

test("an option is found by the name that its person reads, and typed in either language", () => {
  const amount = option("valor", "string", { label: "amount" });
  expect(matchOptions([amount], "am")).toEqual([amount]);
  expect(matchOptions([amount], "val")).toEqual([]);
  for (const line of ["/saque amount:50", "/saque valor:50"])
    expect(parseCommandLine([command("saque", null, amount)], line)?.texts).toEqual(
      new Map([["valor", "50"]]),
    );
});

describe("the value of an option", () => {
  const value = (of: PageOption, typed: string) => valueOf(of, typed, VIEW, TEXTS);

  test("of a channel, a person or a role is an id, however they are written", () => {
    expect(value(CANAL, "#vendas")).toBe("1180000000000000102");
    expect(value(CANAL, "Vendas")).toBe("1180000000000000102");
    expect(value(option("membro", "user"), "@bruno")).toBe("1180000000000000202");
    expect(value(option("cargo", "role"), "@equipe")).toBe("1180000000000000401");
    expect(value(option("cargo", "role"), "@bruno")).toBeUndefined();
    expect(value(CANAL, "#ven")).toBeUndefined();
    expect(value(CANAL, "Balcão")).toBeUndefined();
  });

  test("of a number or a boolean is no text", () => {
    expect(value(option("n", "integer"), "12")).toBe(12);
    expect(value(option("n", "integer"), "1,5")).toBeUndefined();
    expect(value(option("n", "number"), "1,5")).toBe(1.5);
    expect(value(option("n", "number"), "")).toBeUndefined();
    expect(value(option("b", "boolean"), "falso")).toBe(false);
    expect(value(option("b", "boolean"), "talvez")).toBeUndefined();
  });

  test("among choices is the chosen one's, never what was typed", () => {
    const choices = [{ name: "Uma linha", value: "line" }];
    const empty = option("vazio", "string", { choices });
    expect(value(empty, "uma linha")).toBe("line");
    expect(value(empty, "outra")).toBeUndefined();
    expect(matchChoices(knownChoices(empty, VIEW, TEXTS), "LIN")).toHaveLength(1);
  });
});

const text = (value: string): Piece => ({ kind: "text", text: value });

/** All pieces, including nested ones. */
const allOf = (pieces: readonly Piece[]): readonly Piece[] =>
  pieces.flatMap((piece) => ("pieces" in piece ? [piece, ...allOf(piece.pieces)] : [piece]));

describe("text of a message", () => {
  test("bold, code and the rest stand beside plain text", () => {
    expect(parseMarkdown("a **b `c`** d")).toEqual([
      text("a "),
      { kind: "bold", pieces: [text("b "), { kind: "code", text: "c" }] },
      text(" d"),
    ]);
  });

  test("inside code nothing is markdown", () => {
    expect(parseMarkdown("`**a** <@118000000000000000>`")).toEqual([
      { kind: "code", text: "**a** <@118000000000000000>" },
    ]);
    expect(parseMarkdown("```js\n<b>*x*</b>\n```")).toEqual([
      { kind: "block", text: "<b>*x*</b>" },
    ]);
  });

  test("a backslash takes a sign's meaning away", () => {
    expect(parseMarkdown("\\*a\\*").map((piece) => ("text" in piece ? piece.text : "?"))).toEqual([
      "*",
      "a",
      "*",
    ]);
  });

  test("mentions and times are recognised by their ids and seconds", () => {
    expect(parseMarkdown("<@1180000000000000201><#1180000000000000102><t:1795282200:R>")).toEqual([
      { kind: "mention", of: "user", id: "1180000000000000201" },
      { kind: "mention", of: "channel", id: "1180000000000000102" },
      { kind: "time", seconds: 1_795_282_200, style: "R" },
    ]);
  });

  test("lists, quotes and headings belong to their line only", () => {
    expect(parseMarkdown("- um\n> dois\n# três\nfim - não").map(({ kind }) => kind)).toEqual([
      "bullet",
      "quote",
      "heading",
      "text",
    ]);
  });

  test("an underscore inside a word is no emphasis", () => {
    expect(parseMarkdown("sk_sandbox_ana")).not.toContainEqual(
      expect.objectContaining({ kind: "italic" }),
    );
  });

  test("only https addresses become links", () => {
    const hostile = "[a](javascript:alert(1)) [b](http://x.example) [c](data:text/html,x) ftp://y";
    expect(parseMarkdown(hostile).filter(({ kind }) => kind === "link")).toEqual([]);
    expect(parseMarkdown("veja https://x.example/a?b=c.")).toContainEqual({
      kind: "link",
      url: "https://x.example/a?b=c",
      pieces: [text("https://x.example/a?b=c")],
    });
  });

  test("any text at all is read to its end, and no link but https comes out", () => {
    const signs = fc.constantFrom("*", "_", "`", "~", "<", ">", "[", "](", ")", "\\", "\n", "a");
    const some = fc.oneof(signs, fc.constantFrom("https://", "<@1", "- ", "# "), fc.string());
    fc.assert(
      fc.property(fc.array(some, { maxLength: 60 }), (parts) => {
        for (const piece of allOf(parseMarkdown(parts.join("")))) {
          if (piece.kind === "link") expect(piece.url).toMatch(/^https:\/\//);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("letters and spaces come through whole", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zç ]*$/), (plain) => {
        const read = parseMarkdown(plain).map((piece) => ("text" in piece ? piece.text : ""));
        expect(read.join("")).toBe(plain);
      }),
    );
  });
});

const at = (iso: string): number => Date.parse(iso);
const NOW = at("2026-11-21T17:30:00Z");

describe("times in the page", () => {
  test("are those of Brasília, in the person's language", () => {
    expect(timestampText(NOW, "F", "pt-BR", NOW)).toBe("sábado, 21 de novembro de 2026 às 14:30");
    expect(timestampText(NOW, "t", "en-US", NOW)).toMatch(/^2:30\sPM$/);
    expect(timestampText(NOW, "d", "pt-BR", NOW)).toBe("21/11/2026");
    expect(fieldTime(NOW)).toBe("2026-11-21T14:30");
  });

  test.each([
    ["2026-11-21T17:31:40Z", "em 2 minutos"],
    ["2026-11-21T17:29:50Z", "há 10 segundos"],
    ["2026-11-21T14:30:00Z", "há 3 horas"],
    ["2026-11-28T17:30:00Z", "em 7 dias"],
    ["2025-11-21T17:30:00Z", "há 1 ano"],
  ])("relative ones are told against the virtual clock: %s is %s", (iso, text) => {
    expect(timestampText(at(iso), "R", "pt-BR", NOW)).toBe(text);
  });

  test.each([
    ["2026-11-21T03:00:00Z", "Hoje às 00:00"],
    ["2026-11-21T02:59:00Z", "Ontem às 23:59"],
    ["2026-11-23T02:59:00Z", "Amanhã às 23:59"],
    ["2026-11-01T15:00:00Z", "01/11/2026 12:00"],
  ])("a message of %s reads %s: days turn at midnight in Brasília", (iso, text) => {
    expect(messageTime(at(iso), "pt-BR", NOW)).toBe(text);
  });

  test("the button that goes to the next report knows whether today's has passed", () => {
    expect(nextReportLabel(at("2026-11-22T00:04:59Z"), "pt-BR")).toBe("Hoje 21:05");
    expect(nextReportLabel(at("2026-11-22T00:05:00Z"), "pt-BR")).toBe("Amanhã 21:05");
    expect(nextReportLabel(at("2026-11-22T03:00:00Z"), "pt-BR")).toBe("Hoje 21:05");
    expect(nextReportLabel(at("2026-11-22T00:05:00Z"), "en-US")).toBe("Tomorrow 21:05");
  });
});

test.each([
  ["1.234,56", 1_234.56],
  ["1.500", 1_500],
  ["1.234.567,8", 1_234_567.8],
  ["1500,00", 1_500],
  ["49,90", 49.9],
  ["49.90", 49.9],
  [" 50 ", 50],
  ["1,234.56", NaN],
  ["1.23,45", NaN],
  ["dez", NaN],
])("%j is %d", (text, reais) => {
  expect(typedReais(text)).toBe(reais);
});

test.each([
  ["pt-BR", "R$\u00a01.234,50", ["0,01", "100000,00", "10,00", "0,01", "100000,00"]],
  ["en-US", "R$\u00a01,234.50", ["0.01", "100000.00", "10.00", "0.01", "100000.00"]],
] as const)("amounts in %s are written and asked for in its own marks", (locale, shown, asked) => {
  expect(currency(1_234.5, locale)).toBe(shown);
  const texts = [
    demoTextsIn(locale).wrongAmount,
    walletTextsIn(locale).wrong,
    walletTextsIn(locale).meds.wrong,
  ];
  const named = texts.join(" ").match(/\d[\d.,]*\d/g);
  expect(named).toEqual(asked);
  expect(named?.map(typedReais)).toEqual([0.01, 100_000, 10, 0.01, 100_000]);
});

test("each word of the page itself has its English", async () => {
  const page = await readFile(new URL(import.meta.resolve("#src/sandbox/page/index.html")), "utf8");
  const keys = Array.from(page.matchAll(/data-(?:text|label)="(\w+)"/g), ([, key]) => key);
  expect(new Set(keys)).toEqual(new Set(Object.keys(ENGLISH_FRAME)));
});
