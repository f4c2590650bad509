import type { DeliveryPayload } from "#src/delivery/delivery.ts";
import { saleNoticePost } from "#src/sale-notices/sale-notice.view.ts";
import type { Locale } from "#src/shared/locale.ts";
import { cents } from "#src/shared/money.ts";
import { NOW } from "../support/samples.ts";

/** Notices of a sale and of a late refund, whose product is the given text. */
export const saleNoticeRenders = (ownerId: string, reference: string) =>
  (["sale", "refund"] as const).map(
    (kind) =>
      (product: string, locale: Locale): DeliveryPayload => {
        const money = { amount: cents(7_990), net: cents(7_511) };
        return saleNoticePost({
          notice: {
            kind: "single",
            isLate: kind === "refund",
            event: { kind, key: "k", ...money, product, at: NOW },
          },
          ownerId,
          target: { kind: "channel", channelId: "1180000000000000102" },
          now: NOW,
          locale,
          reference,
        });
      },
  );
