const keepCap = "Para ficar como está: **Mudar limite**, com o valor de agora.";

/** `/travar`, `/seguranca`, and notices of external withdrawals. */
export const guards = {
  locked: "Saques travados",
  lockedText:
    "Nenhum saque, split ou estorno seu sai por aqui, em nenhum servidor. O que já foi enviado segue o seu caminho, e a trava não impede cancelar um saque agendado.\n\n" +
    "A trava vale só para você, neste bot: quem tem a sua chave da API ou a senha do serviço ainda saca por fora, e outra pessoa que conectou a mesma conta ainda saca por aqui. Se desconfia de alguém, troque a chave e a senha lá.",
  lockedSince: "Desde",
  unlocking: "Para destravar",
  unlockRule:
    "Toque no botão: a trava abre 24 horas depois, e aviso você agora por mensagem direta.",
  unlockAt: (at: string): string => `Você pediu: abre a partir de ${at}.`,
  lockAgain: "Usar `/travar` de novo desfaz o pedido.",
  stayLocked: "Manter travado",
  open: "Saques liberados",
  openText: "Não há trava. Para travar: `/travar`.",

  title: "Segurança do seu dinheiro",
  panelText:
    "Isto vale para você em todos os servidores. Reforçar a segurança vale na hora; reduzir leva 24 horas (tirar o PIN com o PIN atual é na hora), e aviso você por mensagem direta quando alguém faz ou pede isso, ou define um PIN.",
  lock: "Saques",
  lockOff: "Liberados.",
  lockOn: (since: string): string => `Travados desde ${since}.`,
  pin: "PIN",
  pinOff:
    "Sem PIN. Com ele, saques, estornos e cancelamentos pedem de 4 a 8 números que só você sabe.",
  pinOn: "Ligado: saques, estornos e cancelamentos pedem o PIN.",
  pinLocked: (until: string): string => `Bloqueado por erros até ${until}.`,
  pinEnds: (at: string): string =>
    `Você pediu para tirar: sai a partir de ${at}. Para tirar já, mantenha e depois tire com o PIN.`,
  cap: "Limite diário",
  capOff: "Sem limite.",
  capOn: (cap: string): string =>
    `${cap} a cada 24 horas, saques e estornos somados. Enquanto há limite, o \`/split-saque\` não sai.`,
  capFrom: (cap: string, at: string): string => `Passa a ${cap} a partir de ${at}. ${keepCap}`,
  capEnds: (at: string): string => `Fica sem limite a partir de ${at}. ${keepCap}`,
  wait: "Chave PIX nova espera 24 horas",
  waitOff: "Desligado: uma chave PIX nova recebe na hora, com duas confirmações.",
  waitOn: "Ligado: uma chave PIX nunca usada espera 24 horas.",
  waitEnds: (at: string): string => `Você pediu para desligar: desliga a partir de ${at}.`,
  savedKeys: "Chaves PIX guardadas",
  noKeys: "Nenhuma. Depois de um saque, um botão oferece guardar a chave.",
  moreKeys: (count: number): string => `E mais ${count}, no menu.`,
  moreKeysThanMenu: (count: number): string =>
    `E mais ${count}. O menu tem as 25 usadas por último: quando você esquece uma, entra a próxima.`,
  nthKey: (index: number): string => `Chave ${index} da lista`,
  forgetPlaceholder: "Esquecer uma chave PIX guardada",

  createPin: "Criar PIN",
  changePin: "Trocar PIN",
  removePin: "Tirar PIN",
  keepPin: "Manter o PIN",
  setCap: "Mudar limite",
  waitSwitchOn: "Ligar a espera",
  waitKeepOn: "Manter a espera",
  waitSwitchOff: "Desligar a espera",
  lockNow: "Travar saques",
  askUnlock: "Pedir para destravar",

  createPinTitle: "Criar um PIN",
  changePinTitle: "Trocar o PIN",
  newPin: "PIN novo, de 4 a 8 números",
  newPinHint: "Escolha um que você não usa em outro lugar",
  currentPin: "PIN atual",
  removePinTitle: "Tirar o PIN",
  removePinLabel: "PIN atual (vazio: esqueci)",
  removePinHint: "Com ele, sai na hora. Sem ele, sai em 24 horas",
  capTitle: "Limite de saques e estornos em 24 horas",
  capLabel: "Valor (vazio: sem limite)",
  capHint:
    "Como 500 ou 1.234,56. Diminuir vale já; aumentar, em 24 h. Com limite, /split-saque não sai",

  ghost: "Há um saque que não foi pedido por aqui",
  ghostText:
    "A sua conta no serviço tem um saque que este bot não fez. Se foi você, pelo painel ou por outro programa, não precisa fazer nada.\n\n" +
    "**Se não foi você, agora:**\n" +
    "1. No serviço de pagamentos, revogue a chave da API e troque a senha.\n" +
    "2. Se ainda não travou, toque em **Travar saques** aqui embaixo, ou use `/travar`: barra os seus saques por este bot.\n" +
    "3. Fale com o suporte do serviço e passe o txid.",
  ghostScheduled:
    "**Ele ainda está agendado:** dá para cancelar. Abra em `/saques` e toque em **Cancelar saque**.",
  ghostScheduledElsewhere:
    "**Ele ainda está agendado:** por aqui não dá para cancelar, então peça ao suporte do serviço que o cancele.",
  ghostAlone: (amount: string | undefined): string =>
    `Há um saque${amount === undefined ? "" : ` de ${amount}`} que não foi pedido por aqui. Se não foi você, abra esta mensagem agora.`,
  declared: {
    title: "Apareceu um saque que parecia não ter sido feito",
    text: (code: string): string =>
      `A resposta sobre o saque ${code} foi que ele não foi feito, mas agora o serviço mostra um saque igual, pedido na mesma hora. **O mais provável é que seja ele, e que o dinheiro tenha saído.**`,
    alone: (code: string): string =>
      `O saque ${code}, que foi respondido como não feito, apareceu no serviço. Abra esta mensagem antes de pedir outro.`,
    next: "Se outro foi pedido no lugar dele, os dois podem ter saído: confira no painel antes de pedir mais um. Se algum não foi você, nem outra pessoa desta conta, revogue a chave da API, troque a senha no serviço e toque em **Travar saques**.",
  },
  ghostUnknown: "não consegui ler",
  ghostAccount: "Conta",
  ghostAccountOf: (key: string): string => `a da chave da API ${key}`,
  newKey: "Chave PIX",
  validFrom: "Vale a partir de",
  pinLockedUntil: "Bloqueado até",
  changes: {
    locked: {
      title: "Você travou os saques",
      text: "Nenhum saque ou estorno seu sai por este bot, em nenhum servidor; a trava não impede cancelar um agendado. Para destravar, peça em `/seguranca`: a trava abre 24 horas depois.",
    },
    unlock_asked: {
      title: "Pediram para destravar os saques",
      text: "Quando o prazo abaixo passar, saques e estornos voltam a sair por este bot.",
    },
    pin_set: {
      title: "Um PIN novo foi definido",
      text: "A partir de agora, saques, estornos e cancelamentos pedem esse PIN. Se você não sabe qual é, tire em `/seguranca`, em **Tirar PIN**, com o campo vazio: ele sai 24 horas depois.",
    },
    pin_removed: {
      title: "O seu PIN foi tirado",
      text: "Quem tirou sabia o PIN, então valeu na hora: saques, estornos e cancelamentos não pedem mais PIN. Para criar outro: `/seguranca`.",
    },
    pin_removal_asked: {
      title: "Pediram para tirar o PIN",
      text: "Quando o prazo abaixo passar, saques, estornos e cancelamentos deixam de pedir o PIN. Para ficar com ele: **Manter o PIN**, em `/seguranca`.",
    },
    cap_raise_asked: {
      title: "Pediram um limite diário maior",
      text: "Quando o prazo abaixo passar, o novo limite vale. Ele está em `/seguranca`.",
    },
    cap_end_asked: {
      title: "Pediram para tirar o limite diário",
      text: "Quando o prazo abaixo passar, saques e estornos saem por este bot sem limite diário.",
    },
    wait_end_asked: {
      title: "Pediram para desligar a espera de chave nova",
      text: "Quando o prazo abaixo passar, uma chave PIX nunca usada recebe na hora.",
    },
    new_key: {
      title: "Uma chave PIX nova vai poder receber",
      text: "Alguém pediu, com a sua conta do Discord, um saque para a chave PIX abaixo, nunca usada por aqui. Ela espera, e nada saiu.",
    },
    pin_locked: {
      title: "O seu PIN foi bloqueado",
      text: "Erraram o PIN 5 vezes seguidas com a sua conta do Discord. Nada saiu nessas tentativas, e até a hora abaixo nenhum PIN é aceito. Cada bloqueio seguido dura mais, até 24 horas; o PIN certo zera a contagem.",
    },
    restored: {
      title: "Os dados do Balcão foram restaurados de um backup",
      text: "Trava, PIN, limite, espera de chave nova e chaves guardadas podem ter voltado ao que eram. Veja em `/seguranca` se estão como você quer.",
    },
  },
  alone: (title: string, isLocked: boolean): string =>
    `${title}. Se não foi você, ${isLocked ? "mantenha a trava" : "trave os saques"}.`,
  notYou: (isLocked: boolean): string =>
    `**Se não foi você**, ${isLocked ? "mantenha a trava" : "trave os saques"} aqui embaixo e proteja a sua conta do Discord: troque a senha e saia dos outros aparelhos.`,
};
