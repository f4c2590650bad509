import type { PageChannel, PageLocale, PagePerson, PageView } from "../page-view.ts";
import { type DemoTexts, demoTextsIn, ENGLISH_FRAME } from "./demo-texts.ts";
import { byId, createKeyedChildren, element } from "./element.ts";
import type { PageStore } from "./page-store.ts";

/**
 * Switches between people, with a dot on people with unread direct messages, and sets the current person's language.
 */
export const createPeopleBar = (store: PageStore): { readonly draw: () => void } => {
  const setPeople = createKeyedChildren(byId("people"));
  const language = byId("language") as HTMLSelectElement;
  language.addEventListener("change", () => {
    void store.ask({ kind: "locale", locale: language.value });
  });

  return {
    draw: () => {
      const view = store.view();
      if (view === undefined) return;
      language.value = view.me.locale;
      const texts = demoTextsIn(view.me.locale);
      setPeople(
        view.people.map((person) => {
          const here = person.id === view.me.id;
          const news = !here && store.personHasNews(person.id);
          return {
            key: person.id,
            signature: `${here} ${news} ${view.me.locale}`,
            render: () =>
              personButton(person, { here, news, texts }, () => store.choosePerson(person.id)),
          };
        }),
      );
    },
  };
};

const personButton = (
  person: PagePerson,
  about: { readonly here: boolean; readonly news: boolean; readonly texts: DemoTexts },
  choose: () => void,
): HTMLElement => {
  const { here, news, texts } = about;
  return element(
    "button",
    {
      type: "button",
      class: "person",
      "aria-pressed": here ? "true" : "false",
      onclick: choose,
    },
    element("img", { src: person.avatar, alt: "", width: 28, height: 28 }),
    element(
      "span",
      { class: "person-text" },
      element("strong", {}, person.name),
      " ",
      element("small", {}, texts.roles[person.role]),
    ),
    news
      ? element(
          "span",
          { class: "dot" },
          element("span", { class: "visually-hidden" }, texts.hasNews),
        )
      : null,
  );
};

/** Translates the static texts of index.html, which are in Portuguese, to the person's language and back. */
export const createStaticTexts = (store: PageStore): { readonly draw: () => void } => {
  const parts = [...document.querySelectorAll<HTMLElement>("[data-text], [data-label]")].map(
    (part) => {
      const attribute = part.hasAttribute("title") ? "title" : "aria-label";
      return { part, attribute, text: part.textContent, label: part.getAttribute(attribute) ?? "" };
    },
  );
  let drawnLocale: PageLocale = "pt-BR";
  return {
    draw: () => {
      const locale = store.view()?.me.locale ?? drawnLocale;
      if (locale === drawnLocale) return;
      drawnLocale = locale;
      document.documentElement.lang = locale;
      const words = locale === "pt-BR" ? {} : ENGLISH_FRAME;
      for (const { part, attribute, ...portuguese } of parts) {
        const { text, label } = part.dataset;
        if (text !== undefined) part.textContent = words[text] ?? portuguese.text;
        if (label !== undefined) part.setAttribute(attribute, words[label] ?? portuguese.label);
      }
    },
  };
};

/** The guild's channels and the direct channel, with a mark on channels with unread messages. */
export const createChannelList = (store: PageStore): { readonly draw: () => void } => {
  const setGuild = createKeyedChildren(byId("guild-channels"));
  const setDirect = createKeyedChildren(byId("direct-channels"));
  const drawer = byId("sidebar");
  const opener = byId("open-sidebar");
  const showDrawer = (shown: boolean): void => {
    drawer.classList.toggle("shown", shown);
    opener.setAttribute("aria-expanded", String(shown));
  };
  const leaveDrawer = (): void => {
    if (!drawer.classList.contains("shown")) return;
    showDrawer(false);
    opener.focus();
  };
  opener.addEventListener("click", () => {
    showDrawer(!drawer.classList.contains("shown"));
    if (drawer.classList.contains("shown")) drawer.querySelector("button")?.focus();
  });
  drawer.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") leaveDrawer();
  });
  // Behind the drawer a focused control cannot be seen.
  drawer.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget === null || relatedTarget === opener) return;
    if (!drawer.contains(relatedTarget as Node)) showDrawer(false);
  });
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
              leaveDrawer();
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
