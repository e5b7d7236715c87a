/** Icons that pages of a space may have, of the Lucide set by its names: those that the picker offers, as the markup inside their `<svg>`. */
import archive from 'lucide:archive'
import bell from 'lucide:bell'
import book from 'lucide:book'
import bookOpen from 'lucide:book-open'
import bookmark from 'lucide:bookmark'
import box from 'lucide:box'
import briefcase from 'lucide:briefcase'
import bug from 'lucide:bug'
import building2 from 'lucide:building-2'
import calendar from 'lucide:calendar'
import chartColumn from 'lucide:chart-column'
import chartLine from 'lucide:chart-line'
import circleCheck from 'lucide:circle-check'
import circleX from 'lucide:circle-x'
import clock from 'lucide:clock'
import cloud from 'lucide:cloud'
import code from 'lucide:code'
import compass from 'lucide:compass'
import cpu from 'lucide:cpu'
import creditCard from 'lucide:credit-card'
import database from 'lucide:database'
import download from 'lucide:download'
import eye from 'lucide:eye'
import fileText from 'lucide:file-text'
import flag from 'lucide:flag'
import flaskConical from 'lucide:flask-conical'
import folder from 'lucide:folder'
import gift from 'lucide:gift'
import gitBranch from 'lucide:git-branch'
import gitMerge from 'lucide:git-merge'
import globe from 'lucide:globe'
import graduationCap from 'lucide:graduation-cap'
import hammer from 'lucide:hammer'
import handshake from 'lucide:handshake'
import heart from 'lucide:heart'
import history from 'lucide:history'
import house from 'lucide:house'
import image from 'lucide:image'
import info from 'lucide:info'
import key from 'lucide:key'
import languages from 'lucide:languages'
import layers from 'lucide:layers'
import layoutDashboard from 'lucide:layout-dashboard'
import lifeBuoy from 'lucide:life-buoy'
import lightbulb from 'lucide:lightbulb'
import link from 'lucide:link'
import list from 'lucide:list'
import listChecks from 'lucide:list-checks'
import lock from 'lucide:lock'
import mail from 'lucide:mail'
import map from 'lucide:map'
import messageCircle from 'lucide:message-circle'
import monitor from 'lucide:monitor'
import moon from 'lucide:moon'
import music from 'lucide:music'
import newspaper from 'lucide:newspaper'
import parcel from 'lucide:package'
import palette from 'lucide:palette'
import pencil from 'lucide:pencil'
import phone from 'lucide:phone'
import play from 'lucide:play'
import plug from 'lucide:plug'
import puzzle from 'lucide:puzzle'
import rocket from 'lucide:rocket'
import rss from 'lucide:rss'
import scale from 'lucide:scale'
import search from 'lucide:search'
import server from 'lucide:server'
import settings from 'lucide:settings'
import shield from 'lucide:shield'
import shieldCheck from 'lucide:shield-check'
import shoppingCart from 'lucide:shopping-cart'
import slidersHorizontal from 'lucide:sliders-horizontal'
import smartphone from 'lucide:smartphone'
import sparkles from 'lucide:sparkles'
import star from 'lucide:star'
import sun from 'lucide:sun'
import table from 'lucide:table'
import tag from 'lucide:tag'
import terminal from 'lucide:terminal'
import trash2 from 'lucide:trash-2'
import triangleAlert from 'lucide:triangle-alert'
import truck from 'lucide:truck'
import upload from 'lucide:upload'
import user from 'lucide:user'
import users from 'lucide:users'
import video from 'lucide:video'
import webhook from 'lucide:webhook'
import workflow from 'lucide:workflow'
import wrench from 'lucide:wrench'
import zap from 'lucide:zap'

export const pageIcons: ReadonlyMap<string, string> = new Map([
  ['archive', archive],
  ['bell', bell],
  ['book', book],
  ['book-open', bookOpen],
  ['bookmark', bookmark],
  ['box', box],
  ['briefcase', briefcase],
  ['bug', bug],
  ['building-2', building2],
  ['calendar', calendar],
  ['chart-column', chartColumn],
  ['chart-line', chartLine],
  ['circle-check', circleCheck],
  ['circle-x', circleX],
  ['clock', clock],
  ['cloud', cloud],
  ['code', code],
  ['compass', compass],
  ['cpu', cpu],
  ['credit-card', creditCard],
  ['database', database],
  ['download', download],
  ['eye', eye],
  ['file-text', fileText],
  ['flag', flag],
  ['flask-conical', flaskConical],
  ['folder', folder],
  ['gift', gift],
  ['git-branch', gitBranch],
  ['git-merge', gitMerge],
  ['globe', globe],
  ['graduation-cap', graduationCap],
  ['hammer', hammer],
  ['handshake', handshake],
  ['heart', heart],
  ['history', history],
  ['house', house],
  ['image', image],
  ['info', info],
  ['key', key],
  ['languages', languages],
  ['layers', layers],
  ['layout-dashboard', layoutDashboard],
  ['life-buoy', lifeBuoy],
  ['lightbulb', lightbulb],
  ['link', link],
  ['list', list],
  ['list-checks', listChecks],
  ['lock', lock],
  ['mail', mail],
  ['map', map],
  ['message-circle', messageCircle],
  ['monitor', monitor],
  ['moon', moon],
  ['music', music],
  ['newspaper', newspaper],
  ['package', parcel],
  ['palette', palette],
  ['pencil', pencil],
  ['phone', phone],
  ['play', play],
  ['plug', plug],
  ['puzzle', puzzle],
  ['rocket', rocket],
  ['rss', rss],
  ['scale', scale],
  ['search', search],
  ['server', server],
  ['settings', settings],
  ['shield', shield],
  ['shield-check', shieldCheck],
  ['shopping-cart', shoppingCart],
  ['sliders-horizontal', slidersHorizontal],
  ['smartphone', smartphone],
  ['sparkles', sparkles],
  ['star', star],
  ['sun', sun],
  ['table', table],
  ['tag', tag],
  ['terminal', terminal],
  ['trash-2', trash2],
  ['triangle-alert', triangleAlert],
  ['truck', truck],
  ['upload', upload],
  ['user', user],
  ['users', users],
  ['video', video],
  ['webhook', webhook],
  ['workflow', workflow],
  ['wrench', wrench],
  ['zap', zap],
])
