/** Descriptions that Discord shows while a person types a command: at most 100 characters each. */
export const commands = {
  conta: {
    self: "Conecta, mostra ou desconecta a sua chave da API",
    conectar: "Conecta a sua chave da API neste servidor",
    membro: "Só para quem gerencia o servidor: de quem é a chave",
    ver: "Mostra a sua conexão, e para onde vão o relatório, os alertas e os avisos",
    desconectar: "Apaga a sua chave deste servidor",
    webhook: "Dá um endereço que o serviço chama para eu olhar a sua conta na hora",
  },
  vendas: {
    self: "Mostra as suas vendas de um dia ou de um período, e o quanto mudaram",
    data: "hoje, ontem ou DD/MM/AAAA. Vazio: hoje, e depois das 21:00 também o dia que abriu",
    periodo:
      "7 dias, este mês, mês passado, quinta, 19/11 ou 01/11 a 15/11, comparado com o anterior",
  },
  meta: {
    self: "Mostra a sua meta de vendas do mês e quanto falta; com valor, muda a meta",
    valor: "Quanto quer vender por mês: 40.000 ou 1.234,56. Vazio: mostra a meta",
    mostrar: "Quem vê a meta. Vazio: como está; uma meta nova, só você",
    privada: "só eu",
    servidor: "também o relatório do servidor",
  },
  transacoes: {
    self: "Lista as suas vendas e os seus saques, e mostra cada um por inteiro",
    txid: "Uma transação: as mais novas aparecem aqui. Vazio: a lista",
    estado: "Mostra só as transações nessa situação",
    periodo: "hoje, 7 dias, este mês, 01/11 a 15/11. Vazio: todas",
  },
  saque: {
    self: "Saca do seu saldo para uma chave PIX, e mostra tudo antes de enviar",
    valor: "50, 1.234,56 ou tudo. A taxa sai de dentro do valor",
    chave: "Chave PIX: CPF, CNPJ, e-mail, celular ou aleatória. As guardadas aparecem aqui",
    modalidade: "Vazio: normal",
    normal: "normal: em até 24 horas, taxa de R$ 0,50",
    turbo: "turbo: na hora, taxa de R$ 3,50",
  },
  splitSaque: {
    self: "Saca todo o saldo de split de um recebedor para uma chave PIX",
    recebedor: "De quem é o saldo de split: sai todo ele",
  },
  saques: {
    self: "Lista os seus saques e estornos, mostra um deles, acompanha e cancela",
    txid: "Código (W-…) ou txid de um saque. Vazio: a lista",
  },
  estornar: {
    self: "Devolve o valor de uma venda a quem pagou, depois de mostrar tudo",
    txid: "Txid da venda",
  },
  cobrar: {
    self: "Cria uma cobrança PIX, com QR e código para copiar",
    valor: "Quanto cobrar: 50, 79,90 ou 1.234,56. A taxa sai de dentro do valor",
    descricao: "O que está sendo vendido, em até 140 caracteres",
  },
  saldo: { self: "Mostra o seu saldo e o que dá para sacar agora" },
  meds: {
    self: "Mostra os seus MEDs, os prazos de resposta e os detalhes de cada um",
    infracao: "Código da infração. Vazio: o resumo e a lista",
    estado: "Mostra só os MEDs nessa situação",
  },
  provas: {
    self: "Mostra e apaga as provas que você guardou de mensagens",
    txid: "Só as provas desta venda: as mais novas aparecem aqui. Vazio: todas",
  },
  /** In the menu of a message: at most 32 characters. */
  guardarProva: { name: "Guardar como prova" },
  travar: {
    self: "Trava na hora saques e estornos daqui; não impede cancelar um saque agendado. Destravar: 24 horas",
  },
  seguranca: { self: "PIN, limite diário, espera de chave PIX nova e chaves guardadas" },
  config: {
    self: "Cuida do relatório diário, dos alertas de MED e dos avisos de venda deste servidor",
    relatorio: "Escolhe o canal e o horário do relatório diário",
    canal: "Canal em que o relatório sai",
    horario: "HH:MM, como 21:05, logo depois que o dia fecha em Brasília",
    fuso: "Fuso do horário e do silêncio dos MEDs. Vazio: America/Sao_Paulo",
    ativo: "Liga ou desliga o relatório",
    alertas: "Escolhe onde saem os alertas de MED, o cargo que mencionam e as horas de silêncio",
    canalAlertas: "Canal dos alertas. Cada vendedor decide se os dele vão para lá",
    cargo: "Cargo que os alertas mencionam. Para tirar, há um botão na resposta",
    ativoAlertas: "Liga ou desliga o canal; desligado, os alertas vão por mensagem direta",
    vendas: "Escolhe onde saem os avisos de venda, e a partir de que valor",
    canalVendas: "Canal dos avisos. Cada vendedor decide se as vendas dele saem lá",
    minimo: "Valor a partir do qual uma venda sai, como 50 ou 49,90; 0 para todas",
    ativoVendas: "Liga ou desliga os avisos de venda no canal",
    ver: "Mostra o que está configurado para o relatório, os alertas de MED e os avisos de venda",
    testar: "Manda um teste ao canal, pelo mesmo caminho do relatório",
  },
  ajuda: { self: "O que o Balcão faz e por onde começar" },
};

/** `/ajuda`: about six lines for the reader, and a button for the list of commands. */
export const help = {
  title: "Balcão",
  about:
    "Mostro as suas vendas por PIX, faço saques quando você pede e aviso dos seus MEDs antes do prazo. As respostas, só você vê.",
  aboutWithoutWithdrawals:
    "Mostro as suas vendas por PIX e aviso dos seus MEDs antes do prazo. As respostas, só você vê.",
  notConnected:
    "**Falta conectar a sua chave da API.** Toque no botão e cole a chave; ela fica cifrada. Nunca a envie em uma mensagem.",
  notConnectedDirect:
    "**Falta conectar a sua chave da API.** Use `/conta conectar` no servidor em que você vende.",
  connected: (key: string): string => `A sua chave ${key} está conectada.`,
  paused: (key: string): string =>
    `O serviço recusou a sua chave ${key}. Conecte a nova com \`/conta conectar\`.`,
  pausedDirect: (key: string): string =>
    `O serviço recusou a sua chave ${key}. Conecte a nova com \`/conta conectar\` no servidor em que você vende.`,
  /** Parts of one line, in a server alone. */
  charging: "`/cobrar`: cobra por PIX",
  withdrawing: "`/saque`: saca, e mostra tudo antes",
  seller: [
    "`/vendas`: o dia de hoje · `/saldo`: o que dá para sacar agora",
    "`/meds`: contestações, prazos e a sua defesa",
    "`/travar`: barra na hora seus saques e estornos daqui, não os de fora",
  ],
  aboutServer:
    "Posto o relatório diário das vendas por PIX e aviso cada vendedor dos MEDs dele. O saldo de cada um, só ele vê.",
  manager: [
    "**Você gerencia este servidor:**",
    "`/config relatorio`: o canal e a hora do relatório diário",
    "`/config alertas`: o canal e o cargo dos alertas de MED",
    "`/config vendas`: o canal e o valor mínimo dos avisos de venda",
    "`/config testar`: confere se o relatório chega",
  ],
  managerNotConnected: "Vende também? Conecte a sua chave da API pelo botão.",
  today: "Vendas de hoje",
  all: "Todos os comandos",
  operations: "Operações do serviço",
  documented: "Descritas no documento do serviço",
  assumed: "Só citadas nele: a forma é suposição nossa",
  needs: (setting: string): string => `precisa de ${setting}`,
  switches: "O que precisa de um desses ajustes fica desligado até que quem cuida do bot o ligue.",

  groups: {
    sales: "Vendas",
    money: "Saldo e saques",
    meds: "MEDs e provas",
    account: "Conta e ajuda",
    server: "Do servidor",
  },
  goodToKnow: "Bom saber",
  goodToKnowText: [
    "O dia do serviço fecha às 21:00 de Brasília: uma venda das 22:00 já entra no dia seguinte.",
    "`/travar` barra os seus saques e estornos por aqui, mas não impede cancelar um saque agendado.",
    "Se a resposta de um saque se perder, nunca repito: confiro.",
    "MED é a contestação de um PIX, que o pagador pede ao banco dele. Quem responde é você, no painel do serviço.",
    "No menu de uma mensagem, **Guardar como prova** a guarda para a sua defesa.",
    "Da sua chave da API mostro só os 4 últimos caracteres.",
  ],
};
