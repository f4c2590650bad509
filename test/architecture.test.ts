import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { variableNames } from "#src/config.ts";

const files = globSync(["src/**/*.ts", "commands/**/*.ts"]).sort();
const textOf = (file: string): string => readFileSync(file, "utf8");

/** Our own modules that a file imports, as paths from the project's root. `types` holds the type-only imports. */
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

const layerOf = (path: string): string =>
  path.startsWith("commands/") ? "commands" : (path.split("/")[1] ?? "");

/** The layers that each layer may import. A name ending in `:types` allows type imports only. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  domain: ["shared"],
  texts: ["domain", "shared"],
  views: ["texts", "domain", "shared"],
  wallet: ["domain", "shared"],
  store: ["domain", "shared"],
  services: ["wallet:types", "store:types", "domain", "shared", "texts:types", "views:types"],
  discord: ["services:types", "store:types", "views", "texts", "domain", "shared"],
  jobs: ["services:types", "store:types", "wallet:types", "views", "texts", "domain", "shared"],
  health: ["shared"],
  commands: ["discord", "services:types", "views", "texts", "domain", "shared"],
  sandbox: ["shared"],
};

const forbiddenImports = (file: string): string[] => {
  const layer = layerOf(file);
  const may = allowed[layer];
  if (may === undefined) return [];
  return importsOf(file)
    .filter(({ path, typeOnly }) => {
      const target = layerOf(path);
      return (
        target !== layer && !may.includes(target) && !(typeOnly && may.includes(`${target}:types`))
      );
    })
    .map(({ path }) => `${file} imports ${path}`);
};

describe("the layers", () => {
  const layered = files.filter(
    (file) => file.split("/").length > 2 || file.startsWith("commands/"),
  );

  test("import only what lies below them", () => {
    const found = layered
      .filter((file) => file !== "src/sandbox/bot-process.ts")
      .flatMap(forbiddenImports);
    expect(found).toEqual([]);
  });

  test("are all named, so that a new folder is a decision", () => {
    expect([...new Set(layered.map(layerOf))].sort()).toEqual(Object.keys(allowed).sort());
  });

  test("leave the texts of all capabilities at once to the definitions of commands", () => {
    const importers = files.filter((file) =>
      importsOf(file).some(({ path }) => path === "src/texts/texts.ts"),
    );
    expect(importers.filter((file) => layerOf(file) !== "commands")).toEqual([]);
  });

  test("keep the sandbox out of production", () => {
    const importers = files.filter((file) => layerOf(file) !== "sandbox");
    const found = importers.filter((file) =>
      importsOf(file).some(({ path }) => layerOf(path) === "sandbox"),
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
