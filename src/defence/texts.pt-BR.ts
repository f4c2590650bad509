/** `Guardar como prova` and `/provas`. */
export const proofs = {
  modalTitle: "Guardar como prova",
  modalLabel: "Txid da venda que esta mensagem prova",
  modalMenu: "Qual venda esta mensagem prova?",
  modalMenuPlaceholder: "MEDs em aberto e vendas mais novas (horários de Brasília)",
  modalOther: "Não está na lista? Cole o txid",
  modalPlaceholder: "Cole o txid, como ele aparece no serviço",

  keptTitle: "Prova guardada",
  keptText: "Guardei cifrados o texto, o autor, a hora e o link desta mensagem.",
  keptFor:
    "Se esta venda tem ou vier a ter um MED, a prova entra na sua defesa: em `/meds`, abra o MED e toque em **Preparar defesa**.",
  saleMissing:
    "Não achei essa venda na sua conta; confira o código. Se ele estiver errado, use **Guardar como prova** de novo nesta mensagem e escolha a venda.",
  keptBeforeTitle: "Você já guardou esta mensagem",
  keptBeforeText: "Ela já está guardada com este código, como está abaixo. Nada mais foi guardado.",
  filesNotKept:
    "Dos anexos guardo só o nome, não o arquivo: salve cada um no seu aparelho agora e, se vier um MED, anexe no painel do serviço.",

  title: "Suas provas",
  noneOfSale: "Você ainda não guardou nenhuma prova com esse txid.",
  none: "Você ainda não guardou nenhuma prova.",
  how: "Abra o menu de uma mensagem, escolha **Guardar como prova** em **Apps** e depois a venda. Vale qualquer mensagem que mostre a entrega ou o aceite de quem pagou.",
  count: (found: number): string =>
    found === 1 ? "**1 prova guardada.**" : `**${found} provas guardadas.**`,
  unreadable: (count: number): string =>
    count === 1
      ? "**Não consigo decifrar 1 das suas provas.** Ela continua guardada: avise quem cuida do bot."
      : `**Não consigo decifrar ${count} das suas provas.** Elas continuam guardadas: avise quem cuida do bot.`,
  page: (page: number, pages: number): string => `Página ${page} de ${pages}.`,
  openPlaceholder: "Abrir uma prova (horários de Brasília)",
  previous: "Anteriores",
  next: "Próximas",
  back: "Ver todas",

  detailTitle: "Prova",
  sale: "Txid da venda",
  proves: "Serve de prova para o MED",
  written: { author: "Quem escreveu", at: "Escrita em" },
  forwarded: { author: "Quem encaminhou", at: "Encaminhada em" },
  authorText: (name: string, id: string): string => `${name} (id ${id})`,
  editedAt: "Editada em",
  keptAt: "Guardada em",
  text: "Texto",
  noText: "sem texto",
  attachments: "Anexos",
  noAttachments: "nenhum",
  moreAttachments: (count: number): string => `e mais ${count}`,
  message: "Mensagem",
  sha256: "SHA-256",
  fileName: "provas",
  fileMadeAt: (at: string): string => `Baixadas em ${at}. Horários de Brasília.`,
  fileText: "Guarde o arquivo: ele tem todas as suas provas. Dos anexos vai só o nome.",
  fileOfRest: "Guarde o arquivo: ele tem as outras. Dos anexos vai só o nome.",
  remove: "Apagar esta prova",
  removeTitle: "Apagar esta prova?",
  removeText:
    "Não há volta: ela sai da defesa desta venda e, se a mensagem sumir do Discord, se perde.",
  removeForGood: "Apagar de vez",
  keep: "Manter",
  removed: "Prova apagada. A mensagem no Discord continua onde está.",
};

export type Checklists = Readonly<Record<"FRAUDE" | "ERRO" | "other", readonly string[]>>;

/** Checks that only the seller can make, by the payer's allegation; the bot itself checks sale and proofs. */
const checklists: Checklists = {
  FRAUDE: [
    "Quem comprou: nome, contato e usuário, e se batem com o pagador deste MED.",
    "A conversa com quem comprou, antes e depois do pagamento.",
    "A entrega: registro de acesso, envio ou uso, com data e hora.",
    "Se o pagador não é quem comprou, como o pedido foi confirmado.",
    "A política de reembolso que foi aceita na compra.",
  ],
  ERRO: [
    "O pedido que corresponde a este pagamento, com o mesmo valor e a mesma hora.",
    "Por que o pagador quis pagar esta venda: a cobrança, a conversa ou o carrinho.",
    "Se houve pagamento em dobro ou de valor errado: se o pagador tem razão, concordar no painel devolve o valor.",
    "A entrega: registro de acesso, envio ou uso, com data e hora.",
    "Se você já devolveu por outro meio, o comprovante.",
  ],
  other: [
    "O pedido que corresponde a este pagamento, com o mesmo valor e a mesma hora.",
    "Quem comprou e a conversa com essa pessoa.",
    "A entrega: registro de acesso, envio ou uso, com data e hora.",
    "A política de reembolso que foi aceita na compra.",
  ],
};

/** The defence of one dispute: a PDF, a text file and a text to paste. */
export const dossier = {
  title: "Defesa do MED",
  subtitle: (at: string): string => `Preparada em ${at}. Horários de Brasília.`,
  footer: (infraction: string): string => `Infração ${infraction}`,
  pageOf: "{page} de {pages}",
  allInText: "O arquivo de texto tem todos.",

  dispute: "O MED",
  sale: "A venda contestada",
  saleOrigin: "Canal",
  money: "Valores",
  saleStatus: "Situação da venda",
  saleDescription: "Descrição",
  product: "Produto",
  buyer: "Comprador",
  soldAt: "Feita em",

  proofs: (count: number): string =>
    count === 1 ? "1 prova guardada" : `${count} provas guardadas`,
  proof: (number: number): string => `Prova ${number}`,
  attachment: "Nome do anexo",
  proofNote:
    "O SHA-256 mostra que a prova não mudou desde que foi guardada. Ele não mostra quem a escreveu.",

  check: "Como conferir o SHA-256",
  checkHow:
    "Salve a linha de uma prova em um arquivo UTF-8, sem quebra de linha no fim: o SHA-256 do arquivo (sha256sum) é o da prova. A linha que não começa com colchete está em Base64: decodifique antes.",
  earlierDigest:
    "O SHA-256 desta prova é de uma forma anterior e não pode ser refeito a partir deste arquivo.",

  checklist: "O que conferir e juntar",
  checkSale: "A venda no serviço: txid, valor e data.",
  checkProofs: "Mensagens guardadas que mostram a entrega ou o aceite.",
  checklists,

  missing: "O que falta",
  nothingMissing: "Nada que dê para ver daqui.",
  missingSale:
    "A venda: o serviço não a mostra. Procure o pedido nos seus registros pelo valor e pela hora.",
  missingProofs:
    "Provas: nenhuma mensagem guardada com “Guardar como prova” para este txid. Ainda dá tempo de guardar.",
  missingProofsLate: "Provas: nenhuma mensagem guardada com “Guardar como prova” para este txid.",
  unreadableProofs: (count: number): string =>
    count === 1
      ? "Provas: não consigo decifrar 1 das que você guardou para este txid. Avise quem cuida do bot."
      : `Provas: não consigo decifrar ${count} das que você guardou para este txid. Avise quem cuida do bot.`,
  missingPayer: "O pagador: o serviço não diz o nome.",
  missingUrl: "O endereço do painel: quem cuida do bot não informou. Entre pelo caminho de sempre.",
  alreadyAnswered:
    "Este MED já não espera uma resposta: confira a situação antes de usar este texto.",

  pasteOf: (parts: {
    readonly infraction: string;
    readonly txid: string;
    readonly amount: string;
  }): string =>
    `Resposta à infração ${parts.infraction}, do pagamento ${parts.txid}, de ${parts.amount}.`,
  pasteSold: (what: string, at: string): string => `Venda feita em ${at}: ${what}.`,
  pasteSoldUnknown: "Venda: [diga o que foi vendido, quando e a quem].",
  pasteWhatUnknown: "[diga o que foi vendido]",
  pasteWhy: "[Diga em poucas frases por que a contestação não procede.]",
  pasteDelivery: "Entrega: [diga quando e como foi entregue].",
  pasteProofs: "Provas:",
  pasteProof: (number: number, at: string, text: string): string =>
    `${number}. Em ${at}: "${text}"`,
  pasteNoProofs: "Provas: [liste o que você vai juntar].",

  replyTitle: "Defesa preparada",
  replyText: (where: string, until: string): string =>
    `**Nada foi respondido.** Quem responde é você, ${where}, até ${until}.`,
  replyLate: (where: string, until: string): string =>
    `**Nada foi respondido.** O prazo acabou em ${until}: veja ${where} se ainda dá para responder.`,
  replyDecided: "**Nada foi respondido por aqui.** `/meds` mostra como este MED está.",
  replyWhere: (url: string): string => `em ${url}`,
  replyWherePanel: "no painel do serviço de pagamentos",
  replyPaste: "Texto para colar no painel. Complete o que está entre colchetes:",
  replyFiles: "Arquivos",
  replyFilesText:
    "O PDF e o texto têm só os fatos e as provas, para anexar no painel. Confira antes de enviar.",
  replyNoPdf:
    "Não consegui fazer o PDF agora. O arquivo de texto tem os mesmos fatos e provas. Confira antes de enviar.",
  fileName: "defesa",
};
