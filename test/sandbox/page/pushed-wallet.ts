import type { PageWallet } from "#src/sandbox/page/page-view.ts";
import { pushedView } from "./pushed-view.ts";

/** Ana's wallet in the first view that fits of those that the page at `url` pushes. */
export const pushedWallet = async (
  url: string,
  fits: (wallet: PageWallet) => boolean,
): Promise<PageWallet> => {
  const { wallets } = await pushedView(url, ({ wallets: [ana] }) => ana !== undefined && fits(ana));
  const [ana] = wallets;
  if (ana === undefined) throw new Error("Ana has no wallet");
  return ana;
};
