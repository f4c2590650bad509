import type { PageView, PageWallet } from "#src/sandbox/page/page-view.ts";
import { ANA } from "#src/sandbox/world.ts";

/** Ana's wallet in the first view that fits of those that the page at `url` pushes. */
export const pushedWallet = async (
  url: string,
  fits: (wallet: PageWallet) => boolean,
): Promise<PageWallet> => {
  const stop = new AbortController();
  const response = await fetch(`${url}/events?person=${ANA.id}`, { signal: stop.signal });
  let text = "";
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const views = [...text.matchAll(/^data: (.*)\n\n/gm)];
    const [ana] = (JSON.parse(views.at(-1)?.[1] ?? '{"wallets":[]}') as PageView).wallets;
    if (ana === undefined || !fits(ana)) continue;
    stop.abort();
    return ana;
  }
  throw new Error("The stream ended without such a view");
};
