/** Stop words (most frequent short words): about thirty of each language written with Latin letters. */

const wordsOf: ReadonlyMap<string, string> = new Map([
  [
    'en',
    'the and of to is in that for it with as on this be are you by or from can not will have which if your an when at use',
  ],
  [
    'de',
    'der die und das ist nicht ein eine zu den mit von sie auf für sich des im dem werden wird auch als oder kann wenn bei aus durch wie nur',
  ],
  [
    'fr',
    'le la les de des et est une un dans pour que qui sur pas vous avec ce sont par au du ou plus votre cette il être peut aux',
  ],
  [
    'es',
    'el la los las de del que en un una y es por con para se no su como más o al esta este puede son cuando si sus pero',
  ],
  [
    'pt',
    'o os as da do das dos de que em um uma e é por com para não se no na ao mais como você seu sua são ou pode quando',
  ],
  [
    'it',
    'il lo la gli le di del della che in un una e è per con non si da nel alla sono come più o i dei questo può essere anche',
  ],
  [
    'nl',
    'de het een van en in is op te dat die voor met niet zijn aan er als ook of door naar bij wordt kan om uit deze worden je',
  ],
  [
    'sv',
    'och att det som en på är av för med till den inte om ett har de kan du från vid eller så när ska inte alla mer detta',
  ],
  [
    'da',
    'og at det som en på er af for med til den ikke om et har de kan du fra ved eller så når skal ikke alle mere dette hvis',
  ],
  [
    'no',
    'og at det som en på er av for med til den ikke om et har de kan du fra ved eller så når skal ikke alle mer dette hvis',
  ],
  [
    'fi',
    'ja on ei että se joka voi ovat tai kun jos myös olla sen tämä kuin niin mutta sekä ole voit tämän jotka mukaan',
  ],
  [
    'pl',
    'i w na z do że się nie to jest o jak po dla przez lub od ale tym może są który która które jeśli tego oraz',
  ],
  [
    'cs',
    'a v na je se že z do to s k pro jako o by ale nebo po které který jsou pokud může být tento od není při také',
  ],
  [
    'sk',
    'a v na je sa že z do to s k pre ako o by ale alebo po ktoré ktorý sú ak môže byť tento od nie je pri tiež',
  ],
  [
    'hu',
    'a az és hogy nem is egy van ez meg ha de csak vagy mint el kell azt lehet ezt már még volt minden amely',
  ],
  [
    'ro',
    'și de la în a un o că nu este cu pentru pe din care mai sau să se sunt dacă prin poate fi ce această',
  ],
  [
    'tr',
    've bir bu için ile da de olarak daha gibi olan çok ne ya veya en kadar sonra değil her ise içinde var',
  ],
  [
    'vi',
    'và của các là có cho được trong một không với để này những từ đến khi người đã bạn trên vào thể như',
  ],
  [
    'id',
    'yang dan di untuk dengan dari ini dalam pada tidak adalah ke anda dapat akan atau oleh sebagai itu juga jika',
  ],
  [
    'ca',
    'el la els les de del que en un una i és per amb no es al com més o aquest aquesta són pot quan si seu dels',
  ],
])

/** Languages by stop word. */
export const stopWords: ReadonlyMap<string, readonly string[]> = languagesByWord()

function languagesByWord(): ReadonlyMap<string, readonly string[]> {
  const languages = new Map<string, string[]>()
  for (const [language, words] of wordsOf) {
    for (const word of new Set(words.split(' '))) {
      const languagesOfWord = languages.get(word)
      if (languagesOfWord) languagesOfWord.push(language)
      else languages.set(word, [language])
    }
  }
  return languages
}
