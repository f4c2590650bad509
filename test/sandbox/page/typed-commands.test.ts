import { describe, expect, test } from "vitest";
import { matchCommands, parseCommandLine } from "#src/sandbox/page/client/command-line.ts";
import { knownChoices, matchChoices, valueOf } from "#src/sandbox/page/client/option-values.ts";
import { textsIn } from "#src/sandbox/page/client/texts.ts";
import type { PageCommand, PageOption, PageView } from "#src/sandbox/page/page-view.ts";

const option = (name: string, type: PageOption["type"], more: Partial<PageOption> = {}) => ({
  name,
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
  ...options: readonly PageOption[]
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
