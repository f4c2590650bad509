import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { variableNames } from "#src/config.ts";

const files = globSync(["src/**/*.ts", "commands/**/*.ts"]).sort();
const textOf = (file: string): string => readFileSync(file, "utf8");

/** Our own modules that a file imports, as paths from the project's root. `typeOnly` tells the imports of types. */
const importsOf = (file: string): { readonly path: string; readonly typeOnly: boolean }[] =>
  [
    ...textOf(file).matchAll(
      /^(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|import\("([^"]+)"\)/gms,
    ),
  ].flatMap(([, type, from, dynamic]) => {
    const target = from ?? dynamic ?? "";
    const typeOnly = type !== undefined;
    if (target.startsWith("#")) return [{ path: target.slice(1), typeOnly }];
    return target.startsWith(".")
      ? [{ path: normalize(join(dirname(file), target)), typeOnly }]
      : [];
  });

/** Folders whose files all have one role. */
const platform = ["commands", "shared", "ui", "discord", "wallet", "database", "health", "sandbox"];
/** Folders in which the suffix of a file tells its role. */
const capabilities = [
  "accounting-files",
  "accounts",
  "balance",
  "charges",
  "closes",
  "defence",
  "delivery",
  "disputes",
  "goals",
  "help",
  "money-guards",
  "print",
  "reports",
  "sale-notices",
  "scheduler",
  "transactions",
  "webhooks",
  "withdrawals",
];
const composition: Readonly<Record<string, string>> = {
  "src/texts.ts": "texts",
  "src/schema.ts": "database",
};

const folderOf = (path: string): string =>
  path.startsWith("commands/") ? "commands" : (/^src\/([^/]+)\//.exec(path)?.[1] ?? "");

const roleOf = (path: string): string => {
  const folder = folderOf(path);
  if (folder === "") return composition[path] ?? "composition";
  if (platform.includes(folder)) return path.endsWith(".store.ts") ? "store" : folder;
  if (/(^|\/)texts\.|\.(pt-BR|en-US)\.ts$/.test(path)) return "texts";
  const drawn = /\/(picture|print)\//.test(path) ? "view" : "rules";
  return /\.(service|store|job|view)\.ts$/.exec(path)?.[1] ?? drawn;
};

/** The roles that each role may import. A name ending in `:types` allows type imports only. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  rules: ["shared"],
  texts: ["rules", "shared", "ui"],
  ui: ["texts", "rules", "shared"],
  view: ["ui", "texts", "rules", "shared"],
  wallet: ["rules", "shared"],
  database: ["rules", "shared", "store:types"],
  store: ["database", "rules", "shared"],
  service: [
    "wallet:types",
    "store:types",
    "database:types",
    "rules",
    "shared",
    "texts:types",
    "view:types",
  ],
  discord: ["service:types", "store:types", "view", "ui", "texts", "rules", "shared"],
  job: ["service:types", "store:types", "wallet:types", "view", "ui", "texts", "rules", "shared"],
  health: ["shared"],
  commands: ["discord", "service:types", "view", "ui", "texts", "rules", "shared"],
  sandbox: ["shared"],
};
/** These roles may import the types of the composition: the lists of services and stores. */
const composed = ["commands", "discord", "service", "store", "job"];

const forbiddenImports = (file: string): string[] => {
  const role = roleOf(file);
  const may = [...(allowed[role] ?? []), ...(composed.includes(role) ? ["composition:types"] : [])];
  return importsOf(file)
    .filter(({ path, typeOnly }) => {
      const target = roleOf(path);
      return (
        target !== role && !may.includes(target) && !(typeOnly && may.includes(`${target}:types`))
      );
    })
    .map(({ path }) => `${file} imports ${path}`);
};

/** Circles of folders: each folder with all folders that it reaches, and that reach it, by imports of values. */
const circles = (): readonly string[] => {
  const imported = new Map<string, Set<string>>();
  for (const file of files)
    for (const { path, typeOnly } of importsOf(file)) {
      const [from, to] = [folderOf(file), folderOf(path)];
      if (typeOnly || from === "" || from === to || from === "sandbox") continue;
      imported.set(from, (imported.get(from) ?? new Set()).add(to));
    }
  const reach = (from: string, reached = new Set<string>()): ReadonlySet<string> => {
    for (const to of imported.get(from) ?? []) if (!reached.has(to)) reach(to, reached.add(to));
    return reached;
  };
  return [...imported.keys()].filter((folder) => reach(folder).has(folder));
};

describe("the folders", () => {
  const layered = files.filter((file) => folderOf(file) !== "");

  test("are all named, so that a new folder is a decision", () => {
    expect([...new Set(layered.map(folderOf))].sort()).toEqual(
      [...platform, ...capabilities].sort(),
    );
  });

  test("import each other's values in no circle", () => {
    expect(circles()).toEqual([]);
  });

  test("import only the roles below their own", () => {
    const found = layered
      .filter((file) => file !== "src/sandbox/bot-process.ts")
      .flatMap(forbiddenImports);
    expect(found).toEqual([]);
  });

  test("leave the texts of all capabilities at once to the definitions of commands", () => {
    const importers = files.filter((file) =>
      importsOf(file).some(({ path }) => path === "src/texts.ts"),
    );
    expect(importers.filter((file) => folderOf(file) !== "commands")).toEqual([]);
  });

  test("leave the libraries of pictures and files to threads, which end", () => {
    const drawing = files.filter((file) =>
      /^import (?!type).*"(@resvg\/resvg-js|pdfkit|write-excel-file\S*)"/m.test(textOf(file)),
    );
    const importersOf = (paths: readonly string[]) =>
      files.filter((file) =>
        importsOf(file).some(({ path, typeOnly }) => !typeOnly && paths.includes(path)),
      );
    expect(drawing).toEqual([
      "src/print/pdf.ts",
      "src/print/write-workbook.ts",
      "src/reports/picture/draw-picture.ts",
    ]);
    const drawers = importersOf(drawing);
    expect(drawers).toEqual(["src/print/draw-dossier.ts", "src/print/draw-page.ts"]);
    expect(importersOf(drawers)).toEqual([]);
  });

  test("keep the sandbox out of production", () => {
    const importers = files.filter((file) => folderOf(file) !== "sandbox");
    const found = importers.filter((file) =>
      importsOf(file).some(({ path }) => folderOf(path) === "sandbox"),
    );
    expect(found).toEqual([]);
  });
});

describe("below the composition root", () => {
  const below = files.filter((file) => !/^src\/([^/]+\.ts|sandbox\/)/.test(file));

  test.each([
    ["the environment", /process\.env/],
    ["the process", /\bprocess\.(exit|on|argv)\b/],
    ["the clock of the machine", /Temporal\.Now|Date\.now|new Date\(\)/],
    ["chance", /Math\.random|randomUUID|randomBytes/],
    ["the console", /\bconsole\./],
  ])("nobody reads %s", (_, pattern) => {
    expect(below.filter((file) => pattern.test(textOf(file)))).toEqual([]);
  });
});

describe("each file", () => {
  test("has no default export and no utils in its name", () => {
    expect(
      files.filter((file) => /^export default/m.test(textOf(file)) || /utils?\.ts$/.test(file)),
    ).toEqual([]);
  });
});

test(".env.example names every variable of the configuration and no other", () => {
  const named = [...textOf(".env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(variableNames));
});

test("every dependency has an exact version", () => {
  const { dependencies, devDependencies } = JSON.parse(textOf("package.json")) as Record<
    string,
    Record<string, string>
  >;
  const versions = Object.entries({ ...dependencies, ...devDependencies });
  expect(versions.filter(([, version]) => !/^\d/.test(version))).toEqual([]);
});
