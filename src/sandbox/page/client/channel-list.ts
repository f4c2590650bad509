import type { PageChannel } from "../page-view.ts";
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

  const row = (channel: PageChannel, open: boolean, avatar: string, online: boolean) => {
    const unread = store.unread(channel);
    return {
      key: channel.id,
      signature: JSON.stringify([open, unread, online, channel.name]),
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
            : botPicture(avatar, online),
          element("span", { class: "channel-name" }, channel.name),
          unread ? element("span", { class: "dot", role: "img", "aria-label": "não lidas" }) : null,
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
      document.title = `${open.kind === "guild" ? "#" : "@"}${open.name} · Balcão, demonstração`;
      const rows = (kind: PageChannel["kind"]) =>
        view.channels
          .filter((channel) => channel.kind === kind)
          .map((channel) => row(channel, channel.id === open.id, view.botAvatar, view.botOnline));
      setGuild(rows("guild"));
      setDirect(rows("direct"));
    },
  };
};

const botPicture = (avatar: string, online: boolean): HTMLElement =>
  element(
    "span",
    { class: "bot-picture" },
    element("img", { src: avatar, alt: "", width: 24, height: 24 }),
    element("span", {
      class: online ? "presence online" : "presence",
      role: "img",
      "aria-label": online ? "conectado" : "desconectado",
    }),
  );
