import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { basename, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";

interface PageFile {
  readonly type: string;
  readonly body: string;
}

const HERE = import.meta.dirname;
/** Folder of the browser's modules; index.html loads `app.ts`. */
const CLIENT = dirname(fileURLToPath(new URL("client/app.ts", import.meta.url)));
const IMPORT_MAP_PLACE = "<!-- import map -->";

/** Serves the page's files, the browser modules with their types stripped, and the message components. */
export const openPageFiles = () => {
  muteExperimentalWarning();
  const vendor = findVendorModules();
  const importMapHash = createHash("sha256").update(vendor.importMap).digest("base64");

  return {
    /** The page loads only resources of this server and images from loopback. */
    contentSecurityPolicy: [
      "default-src 'self'",
      `script-src 'self' 'sha256-${importMapHash}'`,
      "style-src 'self'",
      // The message components set colours in style attributes. This is safe: message text never becomes markup.
      "style-src-attr 'unsafe-inline'",
      // Attachments come from the local Discord, on another port of loopback.
      "img-src 'self' http://127.0.0.1:*",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    /** Undefined for an unknown path. */
    read: async (path: string): Promise<PageFile | undefined> => {
      if (path === "/") {
        const page = await readFile(join(HERE, "index.html"), "utf8");
        const script = `<script type="importmap">${vendor.importMap}</script>`;
        return { type: "text/html", body: page.replace(IMPORT_MAP_PLACE, () => script) };
      }
      if (/^\/styles\/[a-z-]+\.css$/.test(path)) {
        return await readText(join(HERE, path), "text/css");
      }
      if (/^\/client\/[a-z-]+\.ts$/.test(path))
        return await readModule(join(CLIENT, basename(path)));
      const file = vendor.file(path);
      return file === undefined ? undefined : await readText(file, "text/javascript");
    },
  };
};

const readText = async (file: string, type: string): Promise<PageFile | undefined> => {
  try {
    return { type, body: await readFile(file, "utf8") };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw cause;
  }
};

const readModule = async (file: string): Promise<PageFile | undefined> => {
  const source = await readText(file, "text/javascript");
  return source === undefined ? undefined : { ...source, body: stripTypeScriptTypes(source.body) };
};

/** Suppresses Node's warning about an experimental function, which would be the demo's first line of output. */
const muteExperimentalWarning = (): void => {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  stripTypeScriptTypes("");
  process.emitWarning = emitWarning;
};

const COMPONENTS = "@skyra/discord-components-core";

/** Main module of each package that the message components import. */
const LIBRARIES = {
  lit: "index.js",
  "lit-html": "lit-html.js",
  "lit-element": "index.js",
  "@lit/reactive-element": "reactive-element.js",
  "@lit/context": "index.js",
} as const satisfies Record<string, string>;

/** The message components and the packages that they import, served unchanged from node_modules. */
const findVendorModules = () => {
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
    /** The file behind a `/vendor/…` path; undefined for files outside the packages. */
    file: (path: string) => fileBehind(path, roots),
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
