import type { PageChannel, PageView } from "../page-view.ts";
import { demoTextsIn } from "./demo-texts.ts";
import type { DemoTexts } from "./demo-texts.ts";
import { byId, element } from "./element.ts";
import { createKeyedChildren } from "./keyed-children.ts";
import type { PageStore } from "./page-store.ts";

/** The guild's channels and the conversation with the bot, with a mark on those that have news. */
export const createChannelList = (store: PageStore): { readonly draw: () => void } => {
  const setGuild = createKeyedChildren(byId("guild-channels"));
  const setDirect = createKeyedChildren(byId("direct-channels"));
  const drawer = byId("sidebar");
  const opener = byId("open-sidebar");
  const showDrawer = (shown: boolean): void => {
    drawer.classList.toggle("shown", shown);
    opener.setAttribute("aria-expanded", String(shown));
  };
  opener.addEventListener("click", () => showDrawer(!drawer.classList.contains("shown")));
  byId("conversation").addEventListener("pointerdown", (event) => {
    if (!opener.contains(event.target as Node)) showDrawer(false);
  });

  const row = (channel: PageChannel, view: PageView, open: boolean) => {
    const texts = demoTextsIn(view.me.locale);
    const unread = store.unread(channel);
    return {
      key: channel.id,
      signature: JSON.stringify([open, unread, view.botOnline, channel.name, view.me.locale]),
      render: () =>
        element(
          "button",
          {
            type: "button",
            class: unread ? "channel unread" : "channel",
            "aria-current": open ? "true" : undefined,
            onclick: () => {
              store.chooseChannel(channel.id);
              showDrawer(false);
            },
          },
          channel.kind === "guild"
            ? element("span", { class: "hash", "aria-hidden": "true" }, "#")
            : botPicture(view, texts),
          element("span", { class: "channel-name" }, channel.name),
          unread
            ? element("span", { class: "dot", role: "img", "aria-label": texts.unread })
            : null,
        ),
    };
  };

  return {
    draw: () => {
      const view = store.view();
      const open = store.channel();
      if (view === undefined || open === undefined) return;
      byId("guild-name").textContent = view.guildName;
      byId("channel-name").textContent = open.name;
      byId("channel-topic").textContent = open.topic;
      byId("channel-sign").textContent = open.kind === "guild" ? "#" : "@";
      document.title = `${open.kind === "guild" ? "#" : "@"}${open.name} · ${demoTextsIn(view.me.locale).title}`;
      const rows = (kind: PageChannel["kind"]) =>
        view.channels
          .filter((channel) => channel.kind === kind)
          .map((channel) => row(channel, view, channel.id === open.id));
      setGuild(rows("guild"));
      setDirect(rows("direct"));
    },
  };
};

const botPicture = ({ botAvatar, botOnline }: PageView, texts: DemoTexts): HTMLElement =>
  element(
    "span",
    { class: "bot-picture" },
    element("img", { src: botAvatar, alt: "", width: 24, height: 24 }),
    element("span", {
      class: botOnline ? "presence online" : "presence",
      role: "img",
      "aria-label": botOnline ? texts.online : texts.offline,
    }),
  );
