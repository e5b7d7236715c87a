/**
 * Pinyin romanisation of Chinese characters, without tones, as GitBook writes them in anchors.
 *
 * There is no dictionary: the pinyin collation orders the characters by their first reading, so the first
 * character of each syllable is enough. 37 of the 3,755 commonest characters get another reading than a dictionary
 * lists first; old anchors cover these.
 */
import { partitionPoint } from '../binary-search.js'

/** The first common character of each syllable, in pinyin order. */
// prettier-ignore
const syllables =
  '阿a哎ai安an肮ang凹ao八ba白bai扳ban邦bang包bao卑bei奔ben崩beng逼bi边bian标biao憋bie宾bin冰bing拨bo补bu擦ca猜cai参can' +
  '仓cang操cao册ce嵾cen层ceng叉cha拆chai掺chan昌chang抄chao车che郴chen称cheng吃chi充chong抽chou出chu歘chua揣chuai' +
  '川chuan疮chuang吹chui春chun戳chuo疵ci匆cong凑cou粗cu蹿cuan崔cui村cun搓cuo搭da呆dai丹dan当dang刀dao得de扥den灯deng' +
  '低di嗲dia掂dian刁diao爹die丁ding丢diu东dong都dou督du端duan堆dui吨dun多duo讹e诶ei恩en鞥eng儿er发fa帆fan方fang飞fei' +
  '分fen丰feng仏fo否fou夫fu嘎ga该gai甘gan冈gang皋gao戈ge给gei根gen庚geng工gong勾gou估gu瓜gua乖guai关guan光guang归gui' +
  '辊gun郭guo哈ha咳hai酣han夯hang毫hao呵he黑hei痕hen亨heng轰hong侯hou乎hu花hua怀huai欢huan荒huang灰hui昏hun豁huo讥ji' +
  '加jia奸jian江jiang交jiao阶jie巾jin京jing炯jiong纠jiu居ju娟juan撅jue军jun咖ka开kai刊kan康kang考kao苛ke剋kei肯ken' +
  '吭keng空kong抠kou枯ku夸kua块kuai宽kuan匡kuang亏kui坤kun扩kuo垃la来lai兰lan郎lang捞lao乐le雷lei棱leng哩li俩lia' +
  '连lian良liang撩liao列lie拎lin伶ling溜liu龙long娄lou卢lu驴lv孪luan掠lve抡lun罗luo呣m妈ma埋mai蛮man忙mang猫mao么me' +
  '没mei门men萌meng眯mi眠mian苗miao灭mie民min名ming谬miu摸mo牟mou母mu拿na乃nai男nan囊nang挠nao呢ne馁nei嫩nen能neng嗯ng' +
  '妮ni拈nian娘niang鸟niao捏nie您nin宁ning牛niu农nong羺nou奴nu女nv暖nuan疟nve挪nuo哦o欧ou趴pa拍pai潘pan乓pang抛pao' +
  '呸pei喷pen抨peng批pi偏pian飘piao撇pie拼pin乒ping坡po剖pou仆pu七qi掐qia千qian呛qiang悄qiao且qie亲qin青qing穷qiong' +
  '丘qiu区qu圈quan炔que裙qun然ran瓤rang饶rao惹re人ren扔reng日ri戎rong柔rou如ru挼rua阮ruan蕊rui闰run若ruo撒sa塞sai三san' +
  '桑sang搔sao色se森sen僧seng杀sha筛shai山shan伤shang捎shao奢she谁shei申shen升sheng尸shi收shou书shu刷shua衰shuai' +
  '拴shuan双shuang水shui吮shun说shuo丝si松song搜sou苏su酸suan虽sui孙sun唆suo他ta胎tai坍tan汤tang涛tao特te疼teng剔ti' +
  '天tian挑tiao帖tie厅ting通tong偷tou凸tu湍tuan推tui吞tun托tuo挖wa歪wai弯wan汪wang危wei温wen翁weng挝wo乌wu夕xi虾xia' +
  '仙xian乡xiang宵xiao些xie心xin星xing凶xiong休xiu吁xu轩xuan削xue勋xun丫ya烟yan央yang妖yao掖ye一yi因yin应ying哟yo' +
  '佣yong优you迂yu冤yuan曰yue晕yun匝za灾zai咱zan赃zang遭zao则ze贼zei怎zen增zeng扎zha斋zhai沾zhan张zhang招zhao遮zhe' +
  '贞zhen争zheng之zhi中zhong州zhou朱zhu抓zhua拽zhuai专zhuan妆zhuang追zhui谆zhun拙zhuo孜zi宗zong邹zou租zu钻zuan' +
  '嘴zui尊zun昨zuo'

interface Syllables {
  readonly collator: Intl.Collator
  readonly firsts: readonly string[]
  readonly sounds: readonly string[]
}

let loaded: Syllables | undefined
/** Bounded by the block of characters that `pinyinOf` covers. */
const cache = new Map<string, string>([['长', 'chang']])

function load(): Syllables {
  const pairs = Array.from(syllables.matchAll(/([^a-z])([a-z]+)/g))
  return {
    collator: new Intl.Collator('zh-u-co-pinyin'),
    firsts: pairs.map((pair) => pair[1]!),
    sounds: pairs.map((pair) => pair[2]!),
  }
}

/** Returns the syllable of a Chinese character, `v` for ü, or undefined for any other character. */
export function pinyinOf(character: string): string | undefined {
  if (!/^[\u4e00-\u9fa5]$/.test(character)) return undefined
  const cached = cache.get(character)
  if (cached !== undefined) return cached
  const { collator, firsts, sounds } = (loaded ??= load())
  const begun = partitionPoint(
    firsts.length,
    (position) => collator.compare(firsts[position]!, character) <= 0,
  )
  const sound = sounds[Math.max(0, begun - 1)]!
  cache.set(character, sound)
  return sound
}
