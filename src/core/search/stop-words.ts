/** Stop words of queries: the function words of a language, and how questions begin. */
import { stopWords } from '../language/stop-words.js'
import { foldText } from './words.js'

/** In addition to the function words by which languages are detected. */
const inQuestions: ReadonlyMap<string, string> = new Map([
  [
    'en',
    'a about am any been but could did do does get had has have he her here him his how i into its me my no our she should so some than their them then there these they this those too us was we were what where who whom whose why would',
  ],
  [
    'de',
    'am an bin bist da dass dein dem deren diese dieser dieses du durch er es habe haben hat ich ihr ihre im ja kein man mein muss ob sein sich sind so soll sollte über um uns unter vom wann warum was welche welcher welches wer wie wir wo woher wohin zum zur',
  ],
  [
    'fr',
    'à ai ces ci comment dois dont elle en faire faut ici ils je là leur ma mais me mes mon ne nos notre nous on où pourquoi puis quand quel quelle quelles quels quoi sa ses si son te tes ton tu votre vos',
  ],
  [
    'es',
    'a cómo cuál cuáles cuándo cuánto de debo dónde ella ellos está están hacer hay la lo me mi mis muy ni nos o porque qué quién si sin sobre soy te tu tus ya yo',
  ],
  [
    'pt',
    'a aonde como devo e ela ele eles está estão eu fazer há isso isto já lhe me meu minha muito nem onde ou porque qual quais quem se sem sobre te tem tu à às',
  ],
  [
    'it',
    'a ai al chi ci cosa dove e fare ho i io lei loro ma me mi mia mio ne noi o perché qual quale quali quando quanto se sei sono su sua suo ti tra tu un vi',
  ],
  [
    'nl',
    'al alle bij dan deze dit doe doen hem hij hoe ik je jij kun maar me mijn moet nu of ons ook over u waar waarom wanneer wat welk welke we wie wij',
  ],
  [
    'sv',
    'du din ditt gör göra hur i jag kan man min mitt mig måste ni ska vad var varför vem vi vilka vilken',
  ],
  [
    'da',
    'du din dit gør gøre hvad hvem hvilke hvilken hvor hvordan hvorfor hvornår i jeg man mig min mit skal vi',
  ],
  [
    'no',
    'du din ditt gjør gjøre hva hvem hvilke hvilken hvor hvordan hvorfor i jeg man meg min mitt skal vi når',
  ],
  ['fi', 'kuinka miksi milloin missä miten mikä mitä minä minun sinä onko kuka'],
  [
    'pl',
    'ale a by być co czy czemu dlaczego gdy gdzie ich ile jaka jaki jakie kiedy kto ma mam mi mnie mogę można mój ona on oni ten ta te tu ty tylko u wy za',
  ],
  ['cs', 'co či jaké jaký jestli kam kde kdo kdy kolik má mám mi mohu musím my on ona proč si ty u za'],
  [
    'ru',
    'а без бы в во где да для до его если есть ее же за и из или их к как какая какие какой когда кто ли мне могу мой можно мы на надо не но о об он она они от по почему при с со так там то у уже чем что это я',
  ],
  [
    'uk',
    'а або без в в у де для до з за и і й їх його її як яка який які коли хто ми можна мені на не ні о он про при та так це чи що чому я',
  ],
  [
    'zh',
    '如何 怎么 怎樣 怎么样 怎麼 怎样 什么 什麼 为什么 為什麼 哪里 哪裡 吗 嗎 呢 的 了 是 我 在 和 与 與',
  ],
  ['ja', 'とは どう です ます する して から まで について の は が を に で と も か'],
  ['ko', '어떻게 무엇 왜 언제 어디 는 은 이 가 을 를 의 에'],
])

/** Returns the folded stop words of a language; always with the English ones. */
export function stopWordsOf(language: string | null): ReadonlySet<string> {
  const code = language?.split('-')[0] ?? 'en'
  return byLanguage.get(code) ?? byLanguage.get('en')!
}

const small = [...stopWords]
const english = wordsOf('en')
const byLanguage: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...new Set([...inQuestions.keys(), ...stopWords.values()].flat())].map((language) => [
    language,
    new Set([...english, ...wordsOf(language)]),
  ]),
)

function wordsOf(language: string): string[] {
  const those = small.flatMap(([word, languages]) => (languages.includes(language) ? [word] : []))
  return foldText(`${inQuestions.get(language) ?? ''} ${those.join(' ')}`).split(' ')
}
