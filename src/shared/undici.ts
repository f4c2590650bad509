import { createRequire } from "node:module";
import type * as undici from "undici";

const load = createRequire(import.meta.url);

/**
 * The parts of undici that we use, without the rest of the package: its own `fetch`, caches, mocks and web
 * sockets cost every process 4 MB and a tenth of its start. The package's version is pinned, so its files are too.
 */
export type Agent = undici.Agent;
export const Agent = load("undici/lib/dispatcher/agent.js") as typeof undici.Agent;
export type Pool = undici.Pool;
export const Pool = load("undici/lib/dispatcher/pool.js") as typeof undici.Pool;
/** Takes 3 MB and 50 ms when it is loaded: at the first file that is sent, for most processes never. */
export const emptyForm = (): undici.FormData => {
  const { FormData } = load("undici/lib/web/fetch/formdata.js") as Pick<typeof undici, "FormData">;
  return new FormData();
};
