import { readdirSync } from "node:fs";
import { Locale as DiscordLocale } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { listCommands } from "#commands/ajuda.ts";
import { commands } from "#commands/index.ts";
import { isSlashCommand } from "#src/discord/command.ts";
import { optionType } from "#src/shared/discord-enums.ts";
import { localeOf } from "#src/shared/locale.ts";
import { createCommandTable } from "#src/discord/command-table.ts";

const all = commands.map(({ definition }) => definition);
const definitions = commands.filter(isSlashCommand).map(({ definition }) => definition);
/** Files that hold a part of a command, or serve several. */
const SHARED = [
  "accounting-files",
  "component-input",
  "config-alertas",
  "config-channel",
  "config-relatorio",
  "conta-ver",
  "config-vendas",
  "definition",
  "fechamento",
  "index",
  "withdraw-input",
];
/** Commands in menus have names that no file can have. */
const FILE_OF: Readonly<Record<string, string>> = { "Guardar como prova": "guardar-prova" };

/** Each command with its options, or its subcommands with theirs. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  conta: ["conectar(membro)", "ver()", "desconectar()", "webhook()"],
  vendas: ["data", "periodo"],
  meta: ["valor", "mostrar"],
  transacoes: ["txid", "estado", "periodo"],
  cobrar: ["valor", "descricao"],
  saldo: [],
  saque: ["valor", "chave", "modalidade"],
  "split-saque": ["recebedor", "chave", "modalidade"],
  saques: ["txid"],
  estornar: ["txid"],
  meds: ["infracao", "estado"],
  provas: ["txid"],
  travar: [],
  seguranca: [],
  config: [
    "relatorio(canal,horario,fuso,ativo)",
    "alertas(canal,cargo,ativo)",
    "vendas(canal,minimo,ativo)",
    "ver()",
    "testar()",
  ],
  ajuda: [],
};

interface Described {
  readonly name: string;
  readonly description: string;
  readonly description_localizations?: Readonly<Record<string, string | null>> | null;
  readonly type?: unknown;
  readonly name_localizations?: Readonly<Record<string, string | null>> | null;
  readonly options?: readonly Described[];
}
const isOption = ({ type }: Described): boolean =>
  type !== undefined && type !== optionType.subcommand;
const withAll = (described: Described): readonly Described[] => [
  described,
  ...(described.options ?? []).flatMap(withAll),
];
const described = definitions as readonly Described[];
const everything = described.flatMap(withAll);

/** The text in each of Discord's languages whose readers are answered in English. */
const inEach = <Text>(text: Text): Readonly<Record<string, Text>> =>
  Object.fromEntries(
    Object.values(DiscordLocale)
      .filter((each) => localeOf(each) === "en-US")
      .map((each) => [each, text]),
  );

describe("the list of commands", () => {
  test("holds every file of the folder", () => {
    const files = readdirSync("commands")
      .filter((file) => file.endsWith(".ts"))
      .map((file) => file.replace(".ts", ""));
    const listed = all.map(({ name }) => FILE_OF[name] ?? name);
    expect([...listed, ...SHARED].sort()).toEqual(files.sort());
  });

  test("can be told apart by the router", () => {
    expect(() => createCommandTable(commands)).not.toThrow();
  });

  test("has the names and options that other programs rely on", () => {
    const shape = Object.fromEntries(
      definitions.map(({ name, options = [] }) => [
        name,
        options.map((option) =>
          "options" in option
            ? `${option.name}(${option.options?.map((o) => o.name).join()})`
            : option.name,
        ),
      ]),
    );
    expect(shape).toEqual(TYPED);
  });

  test("works in guilds where the bot was installed, and a person's own in its direct messages too", () => {
    const guildOnly = ["cobrar", "saque", "split-saque", "config", "Guardar como prova"];
    expect(all.map((each) => [each.name, each.contexts, each.integration_types])).toEqual(
      all.map(({ name }) => [name, guildOnly.includes(name) ? [0] : [0, 1], [0]]),
    );
  });

  test("has one in the menu of messages, named in each language", () => {
    const inMenus = commands
      .filter((each) => !isSlashCommand(each))
      .map(({ definition }) => definition);
    expect(inMenus.map(({ name, type, name_localizations: names }) => [name, type, names])).toEqual(
      [["Guardar como prova", 3, inEach("Keep as evidence")]],
    );
  });

  test("hides /config, and nothing else, from who does not manage the server", () => {
    const hidden = all.filter((each) => each.default_member_permissions !== undefined);
    expect(hidden.map((each) => [each.name, each.default_member_permissions])).toEqual([
      ["config", "32"],
    ]);
  });
});

describe("every command, subcommand and option", () => {
  test("is described in Portuguese, and in English in each language that is answered in English", () => {
    for (const { description, description_localizations: english } of everything) {
      expect(english).toEqual(inEach(english?.["en-US"]));
      expect(english?.["en-US"]).not.toBe(description);
    }
  });

  test("is named in Portuguese alone, but for options, which have English names in each language that is answered in English", () => {
    const optionsOf = ({ options = [] }: Described): readonly Described[] =>
      options.flatMap((each) => (isOption(each) ? [each] : optionsOf(each)));
    const options = described.flatMap(optionsOf);
    const others = everything.filter((each) => !options.includes(each));
    expect(others.filter((each) => each.name_localizations !== undefined)).toEqual([]);
    expect(options.map(({ name, name_localizations: english }) => [name, english])).toEqual(
      options.map(({ name }) => {
        const own: unknown = name === "txid" ? "txid" : expect.not.stringMatching(`^${name}$`);
        return [name, inEach(own)];
      }),
    );
    for (const { name_localizations: english } of options)
      expect(english?.["en-US"]).toMatch(/^[a-z]{1,32}$/);
    const places = described.flatMap((each) => [each, ...(each.options ?? [])]);
    for (const { options: siblings = [] } of places) {
      const english = siblings.flatMap((each) => each.name_localizations?.["en-US"] ?? []);
      expect(new Set(english).size).toBe(english.length);
    }
  });

  test("that locks says that it locks refunds too, and no cancellation", () => {
    const locking = everything.filter(({ name }) => name === "travar");
    expect(locking.map((each) => [each.description, each.description_localizations])).toEqual([
      [
        expect.stringMatching(/saques e estornos.*não impede cancelar um saque agendado/),
        expect.objectContaining({
          "en-US": expect.stringMatching(/refunds.*not cancelling a scheduled withdrawal/),
        }),
      ],
    ]);
  });

  test("is named as Discord takes it", () => {
    expect(everything.filter(({ name }) => !/^[a-z-]{1,32}$/.test(name))).toEqual([]);
    expect(everything.filter(({ description }) => description.length > 100)).toEqual([]);
  });
});

test("the help lists exactly what can be typed", () => {
  const typed = listCommands(definitions, "pt-BR").map(({ name }) => name);
  const expected = Object.entries(TYPED).flatMap(([name, parts]) => {
    const ways = parts.filter((part) => part.includes("("));
    return ways.length === 0 ? [name] : ways.map((way) => `${name} ${way.replace(/\(.*/, "")}`);
  });
  expect(typed).toEqual(expected);
  expect(listCommands(definitions, "en-US").at(-1)?.description).toBe(
    "What Balcão does and how to get started",
  );
});
