import type { PageView, PageWallet } from "#src/sandbox/page/page-view.ts";
import { ANA } from "#src/sandbox/world.ts";

/** Ana's first matching view among those pushed by the page at `url`. */
export const pushedView = async (
  url: string,
  fits: (view: PageView) => boolean = () => true,
): Promise<PageView> => {
  const stop = new AbortController();
  const response = await fetch(`${url}/events?person=${ANA.id}`, { signal: stop.signal });
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
