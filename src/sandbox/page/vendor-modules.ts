import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const COMPONENTS = "@skyra/discord-components-core";

/** Main module of each package that the message components bring with them. */
const LIBRARIES = {
  lit: "index.js",
  "lit-html": "lit-html.js",
  "lit-element": "index.js",
  "@lit/reactive-element": "reactive-element.js",
  "@lit/context": "index.js",
} as const satisfies Record<string, string>;

export interface VendorModules {
  /** Text of the page's import map. */
  readonly importMap: string;
  /** File behind a `/vendor/…` path; undefined when it is none of the packages' modules. */
  readonly file: (path: string) => string | undefined;
}

/** The message components and what they import, served to the browser from node_modules as they are. */
export const findVendorModules = (): VendorModules => {
  const components = fileURLToPath(import.meta.resolve(COMPONENTS));
  const fromComponents = createRequire(components);
  const roots = new Map<string, string>([[COMPONENTS, rootOf(components, COMPONENTS)]]);
  for (const name of Object.keys(LIBRARIES)) {
    roots.set(name, rootOf(fromComponents.resolve(name), name));
  }
  return {
    importMap: JSON.stringify({
      imports: { ...componentImports(roots.get(COMPONENTS) ?? ""), ...libraryImports() },
    }),
    file: (path) => fileBehind(path, roots),
  };
};

const rootOf = (file: string, name: string): string => {
  const marker = join("node_modules", ...name.split("/"), sep);
  return file.slice(0, file.lastIndexOf(marker) + marker.length);
};

const componentImports = (root: string): Record<string, string> => {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Record<string, string>;
  };
  return Object.fromEntries(
    Object.entries(exports).map(([name, file]) => [
      join(COMPONENTS, name),
      join("/vendor", COMPONENTS, file),
    ]),
  );
};

const libraryImports = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(LIBRARIES).flatMap(([name, main]) => [
      [name, `/vendor/${name}/${main}`],
      [`${name}/`, `/vendor/${name}/`],
    ]),
  );

const fileBehind = (path: string, roots: ReadonlyMap<string, string>): string | undefined => {
  if (!/^\/vendor(\/@?[\w-]+)+(\.[\w-]+)*\.js$/.test(path)) return undefined;
  for (const [name, root] of roots) {
    const prefix = `/vendor/${name}/`;
    if (path.startsWith(prefix)) return join(root, path.slice(prefix.length));
  }
  return undefined;
};
