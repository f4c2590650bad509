import { onTestFinished } from "vitest";
import { startPage } from "#src/sandbox/page/page-server.ts";
import type { PageView, PageWallet } from "#src/sandbox/page/page-view.ts";
import { type Sandbox, startSandbox } from "#src/sandbox/start-sandbox.ts";
import { ANA } from "#src/sandbox/world.ts";

export interface OpenPage {
  readonly sandbox: Sandbox;
  readonly url: string;
  /** Posts as the page itself does. */
  readonly post: (path: string, body: unknown) => Promise<Response>;
}

/** A sandbox and its page, stopped when the test ends. */
export const openPage = async (bot?: Parameters<typeof startPage>[0]["bot"]): Promise<OpenPage> => {
  const sandbox = await startSandbox({ start: Temporal.Instant.from("2026-11-21T17:30:00Z") });
  const page = await startPage({ sandbox, port: 0, ...(bot === undefined ? {} : { bot }) });
  onTestFinished(async () => {
    await page.stop();
    await sandbox.stop();
  });
  const { url } = page;
  return {
    sandbox,
    url,
    post: (path, body) =>
      fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: url },
        body: JSON.stringify(body),
      }),
  };
};

/** The first view that fits, of those that the page at `url` pushes to a person (Ana by default). */
export const pushedView = async (
  url: string,
  fits: (view: PageView) => boolean = () => true,
  personId: string = ANA.id,
): Promise<PageView> => {
  const stop = new AbortController();
  const response = await fetch(`${url}/events?person=${personId}`, { signal: stop.signal });
  let text = "";
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const newest = [...text.matchAll(/^data: (.*)\n\n/gm)].at(-1)?.[1];
    if (newest === undefined) continue;
    const view = JSON.parse(newest) as PageView;
    if (!fits(view)) continue;
    stop.abort();
    return view;
  }
  throw new Error("The stream ended without such a view");
};

/** Ana's wallet in the first matching view pushed by the page at `url`. */
export const pushedWallet = async (
  url: string,
  fits: (wallet: PageWallet) => boolean,
): Promise<PageWallet> => {
  const { wallets } = await pushedView(url, ({ wallets: [ana] }) => ana !== undefined && fits(ana));
  const [ana] = wallets;
  if (ana === undefined) throw new Error("Ana has no wallet");
  return ana;
};
