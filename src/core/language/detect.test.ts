import { describe, expect, test } from 'vitest'
import { parsePage } from '../markdown/parse.js'
import { detectLanguage } from './detect.js'
import { addTally, tallyLanguage, tallyText } from './tally.js'

const texts: Readonly<Record<string, string>> = {
  en: 'This is the guide to your server: when it is running, you can use the settings on this page.',
  de: 'Mit dieser Anleitung wird der Server eingerichtet; die Einstellungen stehen auf der nächsten Seite und sind nicht schwer.',
  fr: 'Ce guide est pour vous : il décrit les réglages du serveur et la manière dont ils sont appliqués dans le système.',
  es: 'Esta guía describe cómo se configura el servidor; los ajustes que se muestran en esta página son para el administrador.',
  pt: 'Este guia descreve como o servidor é configurado; não se esqueça de que os ajustes desta página são para você.',
  it: 'Questa guida descrive come il server può essere configurato; le impostazioni sono nella pagina che segue, per gli utenti.',
  nl: 'Deze handleiding beschrijft hoe de server wordt ingesteld; het is niet moeilijk en kan api iedereen worden gedaan.',
  sv: 'Den här guiden beskriver hur servern ställs in; det är inte svårt och kan göras av alla som har en dator.',
  da: 'Denne vejledning beskriver hvordan serveren sættes op; det er ikke svært og kan gøres af alle som har en computer hvis de vil.',
  no: 'Denne veiledningen beskriver hvordan tjeneren settes opp; det er ikke vanskelig og kan gjøres av alle som har en datamaskin.',
  pl: 'Ten przewodnik opisuje, jak uruchomić serwer; nie jest to trudne i może to zrobić każdy, kto ma komputer w domu.',
  tr: 'Bu kılavuz sunucu için gereken ayarları anlatır ve çok zor değil; her sayfa bir konu içinde kalır.',
  vi: 'Tài liệu này mô tả các thiết lập của máy chủ và không khó; bạn có thể làm được trong một ngày.',
  ru: 'Это руководство описывает, как настроить сервер; это не трудно, и вы можете сделать это сами.',
  uk: 'Цей посібник описує, як налаштувати сервер; це не важко, і ви можете зробити це самі їхніми засобами.',
  ja: 'このガイドではサーバーの設定について説明します。設定はとても簡単で、誰でもできます。Docker と Kubernetes も使えます。',
  ko: '이 가이드는 서버 설정에 대해 설명합니다. 설정은 매우 쉽고 누구나 할 수 있습니다.',
  zh: '这个指南说明如何设置服务器。设置很简单，我们可以在网页上完成。PostgreSQL 和 Docker 都支持。',
  'zh-tw': '這個指南說明如何設定伺服器。設定很簡單，我們可以在網頁上完成。PostgreSQL 和 Docker 都支援。',
  ar: 'يصف هذا الدليل كيفية إعداد الخادم، وهو ليس صعبًا ويمكن لأي شخص القيام به.',
  fa: 'این راهنما چگونگی پیکربندی سرور را توضیح می‌دهد و برای همه آسان است، گرچه زمان می‌گیرد.',
  he: 'המדריך הזה מתאר כיצד להגדיר את השרת; זה לא קשה וכל אחד יכול לעשות זאת.',
  el: 'Αυτός ο οδηγός περιγράφει πώς να ρυθμίσετε τον διακομιστή και δεν είναι δύσκολος.',
  th: 'คู่มือนี้อธิบายวิธีตั้งค่าเซิร์ฟเวอร์ ซึ่งไม่ยากและทุกคนสามารถทำได้',
  hi: 'यह मार्गदर्शिका बताती है कि सर्वर कैसे सेट करें, यह कठिन नहीं है।',
}

describe('the language of a text', () => {
  test.each(Object.entries(texts))('%s is detected', (language, text) => {
    expect(detectLanguage(tallyText(text))).toBe(language)
  })

  test.each([
    ['an empty text', ''],
    ['a title', 'Guide to the server'],
    [
      'product names',
      'Docker Kubernetes PostgreSQL Redis Nginx Grafana Prometheus Terraform Ansible Jenkins',
    ],
    ['a few letters of another script', 'Home Protocol Install Upgrade: 設定 手順'],
    ['one word that is repeated', 'Muster und Partner, Meier und Co, Schmidt und Klein, Gross und Fein.'],
    ['a few words that are repeated', 'Rio de Janeiro, Porto Alegre, Rio de la Plata. '.repeat(9)],
  ])('is not guessed from %s', (_, text) => {
    expect(detectLanguage(tallyText(text))).toBeUndefined()
  })

  test('is that of the prose, not of the code', () => {
    const code =
      '```js\n// if this is the one that you want to use, then it is in the list of the server\n```\n'
    const { document } = parsePage(`# Titel\n\n${texts['de']}\n\n${code.repeat(20)}`)
    expect(detectLanguage(tallyLanguage(document))).toBe('de')
  })

  test('is that of the majority of texts', () => {
    const sum: Record<string, number> = {}
    for (const text of [texts['he'], texts['he'], texts['en']]) addTally(sum, tallyText(text!))
    expect(detectLanguage(sum)).toBe('he')
  })
})
