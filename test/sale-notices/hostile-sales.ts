import type { DeliveryPayload } from "#src/delivery/delivery.ts";
import { saleMoveNotice, saleNoticePost } from "#src/sale-notices/sale-notice.view.ts";
import type { Locale } from "#src/shared/locale.ts";
import { cents } from "#src/shared/money.ts";
import { NOW } from "../support/samples.ts";
import { type HostileView, prose } from "../ui/hostile-samples.ts";

const REFERENCE = "ref a1b2c3d4";

/** Notices of a sale and of a late refund, whose product is the given text. */
const saleNoticeRenders = (ownerId: string) =>
  (["sale", "refund"] as const).map(
    (kind) =>
      (product: string, locale: Locale): DeliveryPayload => {
        const money = { amount: cents(7_990), net: cents(7_511) };
        return saleNoticePost({
          notice: {
            kind: "single",
            isLate: kind === "refund",
            event: { kind, key: "k", ...money, product, at: NOW, createdAt: NOW },
          },
          ownerId,
          target: { kind: "channel", channelId: "1180000000000000102" },
          now: NOW,
          locale,
          reference: REFERENCE,
        });
      },
  );

/** The views of sale notices, whose words come from products' and servers' names. */
export const hostileSales = (ownerId: string): Readonly<Record<string, HostileView>> => ({
  saleNoticePost: prose(...saleNoticeRenders(ownerId)),
  saleMoveNotice: prose((guildName, locale) =>
    saleMoveNotice({
      guildId: "1180000000000000001",
      guildName,
      channelId: "118",
      locale,
      reference: REFERENCE,
    }),
  ),
});
