import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findVendorModules } from "./vendor-modules.ts";

interface PageFile {
  readonly type: string;
  readonly body: string;
}

interface PageFiles {
  /** Undefined when there is no such file. */
  readonly read: (path: string) => Promise<PageFile | undefined>;
  /** The policy under which the page runs: nothing but what this server sends. */
  readonly contentSecurityPolicy: string;
}

const HERE = import.meta.dirname;
/** First of the browser's modules; index.html names it. */
const CLIENT = dirname(fileURLToPath(new URL("client/app.ts", import.meta.url)));
const IMPORT_MAP_PLACE = "<!-- import map -->";

/** The page's own files, browser modules with their types taken out, and the message components. */
export const openPageFiles = (): PageFiles => {
  warnNobody();
  const vendor = findVendorModules();
  const importMapHash = createHash("sha256").update(vendor.importMap).digest("base64");

  return {
    contentSecurityPolicy: [
      "default-src 'self'",
      `script-src 'self' 'sha256-${importMapHash}'`,
      "style-src 'self'",
      // The message components set their colours in style attributes; no text of a message ever becomes markup.
      "style-src-attr 'unsafe-inline'",
      // Files that the bot attaches come from the local Discord, on another port of loopback.
      "img-src 'self' http://127.0.0.1:*",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    read: async (path) => {
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

/** Node warns once that the function is experimental: it would be the first line that a newcomer reads. */
const warnNobody = (): void => {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  stripTypeScriptTypes("");
  process.emitWarning = emitWarning;
};
