import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { PermissionFlagsBits } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { commands } from "#commands/index.ts";
import { isSlashCommand } from "#src/discord/command.ts";
import { variableNames } from "#src/config.ts";
import { exitCodes } from "#src/shared/errors.ts";
import { ANA, BRUNO } from "#src/sandbox/world.ts";

const readme = ["README.md", "docs/operating.md", "docs/promises.md", "CONTRIBUTING.md"]
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");
const all = (pattern: RegExp): readonly string[] => [
  ...new Set([...readme.matchAll(pattern)].map(([whole, part]) => part ?? whole)),
];
const unknownOf = (named: readonly string[], known: readonly string[]): readonly string[] =>
  named.filter((each) => !known.includes(each));

interface Typed {
  readonly name: string;
  readonly options?: readonly Typed[];
}
/** Each command as typed, with the options that may follow. */
const typed = commands
  .filter(isSlashCommand)
  .map(({ definition }): Typed => definition as Typed)
  .flatMap(({ name, options = [] }) => {
    const ways = options.filter((option) => option.options !== undefined);
    const names = ({ options: inner = [] }: Typed) => inner.map((each) => each.name);
    return ways.length === 0
      ? [{ line: `/${name}`, options: options.map((each) => each.name) }]
      : ways.map((way) => ({ line: `/${name} ${way.name}`, options: names(way) }));
  });
const PAGES = ["/healthz", "/readyz", "/metrics"];

test("README names every command, and none that does not exist", () => {
  const named = all(/`(\/[a-z][^`]*)`/g).filter((each) => !PAGES.includes(each));
  const found = named.map((each) => {
    const given = [...each.matchAll(/ ([a-z]+):/g)].map(([, name]) => name ?? "");
    const line = each.replace(/ [a-z]+:.*$/, "");
    return { line, given, command: typed.find((way) => way.line === line) };
  });
  const odd = found.filter(
    ({ given, command }) => command === undefined || unknownOf(given, command.options).length > 0,
  );
  expect(odd).toEqual([]);
  const lines = typed.map(({ line }) => line);
  expect(
    unknownOf(
      lines,
      found.map(({ line }) => line),
    ),
  ).toEqual([]);
});

test("README names scripts, variables and files that exist", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const run = all(/npm run ([a-z:-]+)/g);
  expect(run.length).toBeGreaterThan(5);
  expect(unknownOf(run, Object.keys(scripts))).toEqual([]);

  const variables = all(/`([A-Z]+_[A-Z_]+)\b/g);
  expect(variables).toContain("MED_ANSWER_URL");
  expect(unknownOf(variables, variableNames)).toEqual([]);

  const files = all(/(?:\b(?:src|commands|test|docs)\/|\.ci\/|\.env\.)[\w./-]+/g)
    // The example that the reader is to write.
    .filter((file) => file !== "commands/name.ts");
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test("README calls a MED what the bot calls it, and says once what that is", () => {
  // Tables name folders; the glossary explains this English word.
  const prose = readme.replaceAll(/^\| (?:\[?`src\/|saque ).*$/gm, "");
  expect(prose.match(/.{5}\bdispute.*?\b.?/gi)).toEqual(["(PIX dispute)"]);
  expect(prose.match(/\bMEDs?\b.{14}/)?.[0]).toBe("MED (PIX dispute)");
});

test("README has the sellers' keys of the demo", () => {
  expect(all(/`(sk_[^`]+)`/g)).toEqual([ANA.apiKey, BRUNO.apiKey]);
});

const INVITED = {
  "view channels": PermissionFlagsBits.ViewChannel,
  "send messages": PermissionFlagsBits.SendMessages,
  "send messages in threads": PermissionFlagsBits.SendMessagesInThreads,
  "embed links": PermissionFlagsBits.EmbedLinks,
  "attach files": PermissionFlagsBits.AttachFiles,
  "read message history": PermissionFlagsBits.ReadMessageHistory,
};

test("README invites the bot with the sum of the permissions that it names", () => {
  const text = readFileSync("README.md", "utf8").replaceAll(/\s+/g, " ");
  const [, named] = /the permissions \d+ \((.*?);/.exec(text) ?? [];
  expect(named?.split(", ")).toEqual(Object.keys(INVITED));
  const sum = Object.values(INVITED).reduce((held, each) => held | each, 0n);
  const given = [...text.matchAll(/permissions[ =](\d+)/g)].map(([, number]) => number);
  expect(given).toEqual([String(sum), String(sum)]);
});

test("README has what npm start and npm run start:shards run, for a supervisor to run itself", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(all(/^ExecStart=\/usr\/bin\/(.*)$/gm)).toEqual([scripts["start"]]);
  expect(all(/^RestartPreventExitStatus=(.*)$/gm)).toEqual([String(exitCodes.configuration)]);
  expect(scripts["start:shards"]).toBe(scripts["start"]?.replace("start.js", "shards.js"));
});

test("each folder is in the map, and its README names its files with a role", () => {
  const map = readFileSync("README.md", "utf8");
  const missing = globSync("src/*/").flatMap((folder) => {
    const page = `${folder}/README.md`;
    if (!existsSync(page) || !map.includes(`](${page})`)) return [page];
    const text = readFileSync(page, "utf8");
    return globSync(`${folder}/**/*.{service,store,job,view}.ts`)
      .filter((file) => !text.includes(basename(file)))
      .map((file) => `${page}: ${file}`);
  });
  expect(missing).toEqual([]);
});
