/**
 * Names of Font Awesome, which writers use, by the icon of the Lucide set that comes nearest. Only what differs
 * stands here; a name with more words than are known is the name with fewer (`icons.ts`).
 */

// prettier-ignore
const namesByIcon = `
a-large-small: text-size
accessibility: blind crutch universal-access wheelchair
activity: monitor-waveform wave-pulse wave-sine wave-square wave-triangle
ambulance: truck-medical
annoyed: grimace
app-window: browser browsers window
archive: box-archive cabinet-filing
archive-restore: trash-arrow-up trash-can-arrow-up
armchair: chair
arrow-big-down: down
arrow-big-left: left
arrow-big-right: right
arrow-big-up: up
arrow-down: down-long long-arrow-down
arrow-down-to-line: down-to-line
arrow-down-wide-narrow: sort-down
arrow-left: left-long long-arrow-left
arrow-left-right: exchange swap
arrow-right: long-arrow-right right-long
arrow-right-from-line: right-from-line
arrow-right-left: arrow-right-arrow-left right-left
arrow-right-to-line: right-to-line
arrow-up: long-arrow-up up-long
arrow-up-down: elevator sort unsorted
arrow-up-from-line: up-from-line
arrow-up-narrow-wide: sort-up
arrow-up-right: up-right
arrow-up-to-line: up-to-line
at-sign: at threads
atom: react
audio-lines: waveform-lines
audio-waveform: waveform
award: rectangle-pro wreath
baby: child
badge: trademark
badge-check: certificate
badge-dollar-sign: badge-dollar square-dollar
bandage: band-aid
banknote: money-bill money-bills money-check-dollar won-sign
banknote-arrow-up: money-bill-transfer money-bill-trend-up money-from-bracket money-simple-from-bracket
banknote-check: money-check
bath: bathtub hot-tub
battery-full: battery-three-quarters
battery-low: battery-quarter
battery-medium: battery-half
beef: cow
bell-off: bell-slash
bell-ring: bells
bike: bicycle biking person-biking
bird: crow dove kiwi-bird
bitcoin: btc
blend: circles-overlap diagram-venn
bomb: explosion
bone: x-ray
book: wikipedia-w
book-marked: book-atlas
book-open: book-sparkles confluence gitbook notion readme storybook
book-plus: book-medical
book-up: book-circle-arrow-right
book-user: book-open-reader passport
bot: copilot jenkins robot user-alien user-robot
bot-message-square: message-bot
bottle-wine: wine-bottle
box: cube dropbox kaaba unity
boxes: cubes pallet-boxes
braces: brackets-curly
brain: head-side-brain
brain-cog: head-side-gear
brick-wall: trowel-bricks wall-brick
briefcase: business-time suitcase
briefcase-conveyor-belt: conveyor-belt-boxes
briefcase-medical: first-aid kit-medical medkit suitcase-medical
bug: bugs locust mosquito spider
bug-off: bug-slash
building: house-building
building-2: buildings city
cable-car: tram
cake: birthday-cake
calculator: pager
calendar-1: calendar-day
calendar-range: calendar-week
calendar-x: calendar-xmark
camera-off: camera-slash
captions: audio-description comment-captions
car: automobile uber
car-taxi-front: taxi
caravan: rv
card-sim: sim-card sim-cards
case-sensitive: font-case
cast: chromecast
castle: fort-awesome
cctv: camera-security
chart-bar: bars-progress square-poll-horizontal
chart-column: chart-bar chart-simple poll
chart-gantt: list-timeline
chart-line: chart-user
chart-network: diagram-sankey hexagon-nodes nodes
chart-no-axes-combined: chart-mixed
check-check: check-double
chess-knight: chess horse
chevron-down: angle-down caret-down
chevron-left: angle-left caret-left less-than
chevron-right: angle-right caret-right greater-than
chevron-up: angle-up caret-up
chevrons-down: angles-down
chevrons-left: angles-left
chevrons-right: angles-right
chevrons-up: angles-up
church: place-of-worship synagogue
cigarette: joint smoking
circle: peace pen-circle ring zero
circle-alert: exclamation
circle-arrow-down: arrow-alt-circle-down arrow-circle-down circle-down
circle-arrow-left: arrow-alt-circle-left arrow-circle-left circle-left
circle-arrow-out-up-right: circle-arrow-up-right
circle-arrow-right: arrow-alt-circle-right arrow-circle-right circle-right
circle-arrow-up: arrow-alt-circle-up arrow-circle-up circle-up
circle-chevron-down: chevron-circle-down circle-caret-down
circle-chevron-left: chevron-circle-left circle-caret-left
circle-chevron-right: chevron-circle-right circle-caret-right
circle-chevron-up: chevron-circle-up circle-caret-up
circle-dollar-sign: circle-dollar coin sack-dollar
circle-dot: manhole tire
circle-minus: do-not-enter
circle-question-mark: question
circle-slash-2: empty-set
circle-small: splotch
circle-user: image-portrait portrait
circle-x: circle-xmark times-circle
citrus: lemon
clipboard-check: memo-circle-check
clipboard-list: clipboard-question clipboard-user
clipboard-paste: paste
clipboard-plus: diagnoses notes-medical
closed-caption: closed-captioning
cloud: aws cloudflare cloudsmith digital-ocean google nextcloud salesforce scaleway
cloud-cog: cloud-binary
cloud-download: cloud-arrow-down
cloud-lightning: cloud-bolt
cloud-off: cloud-slash
cloud-rain-wind: cloud-showers-heavy
cloud-upload: cloud-arrow-up
cloudy: clouds
code: visual-studio
code-xml: css css3 html5 w3c
codepen: jsfiddle
coffee: mug
cog: cogs gears
coins: litecoin-sign monero solana
columns-2: table-columns
compass: circle-location-arrow safari
concierge-bell: bell-concierge
construction: road-barrier triangle-person-digging
contact: address-book
container: docker docker-compose
contrast: adjust circle-half-stroke
cooking-pot: kitchen-set mortar-pestle
copy: clone window-restore
copyright: registered
corner-left-down: level-down
corner-left-up: level-up
corner-right-down: arrow-turn-down turn-down
corner-right-up: arrow-turn-up turn-up
corner-up-left: turn-left
corner-up-right: turn-right
cpu: microchip raspberry-pi
credit-card: cc-amex cc-mastercard cc-paypal cc-stripe cc-visa stripe
credit-card-reader: cash-register
cross: tombstone
crosshair: crosshairs
crown: user-crown
cupcake: poo
cylinder: pipe-section
database: mongodb mysql postgresql redis
dice-1: dice-one
dice-2: dice-two
dice-3: dice-three
dice-4: dice-four
dice-5: dice-five
dice-6: dice-d6 dice-six
dices: dice slot-machine
diff: plus-minus
disc: compact-disc
disc-3: record-vinyl
dollar-sign: dollar usd
download: arrow-down-to-bracket
drafting-compass: compass-drafting
drama: masks-theater
drill: oil-well
droplet: tint
droplet-off: droplet-slash
ear: assistive-listening-systems
equal: equals
ethernet-port: ethernet
euro: eur
ev-charger: charging-station
external-link: arrow-up-right-from-square up-right-from-square
eye: eyes
eye-off: eye-low-vision eye-slash
factory: industry
fan: wind-turbine
faucet: sink
file: page sheet-plastic
file-archive: file-zip file-zipper
file-audio: file-waveform
file-badge: file-certificate
file-chart-pie: file-powerpoint
file-check: file-circle-check
file-code: angular dart-lang erlang golang java java-script js laravel node php python rust swift symfony typescript vuejs
file-digit: file-binary
file-down: file-arrow-down
file-input: file-import
file-lock: file-shield
file-minus: file-circle-minus
file-output: file-export
file-pen: file-contract
file-plus: file-circle-plus file-medical
file-question-mark: file-circle-info file-circle-question
file-search: file-magnifying-glass
file-spreadsheet: file-csv file-excel
file-text: dochub file-lines file-pdf file-prescription file-word markdown
file-up: file-arrow-up
file-warning: file-circle-exclamation file-exclamation
file-x: file-circle-xmark
film: reel
flame: burn dragon fire
flask-conical: flask
flip-horizontal-2: reflect-horizontal
flower: trillium
flower-2: spa
folder-cog: folder-gear
folder-down: folder-arrow-down
folder-kanban: folder-grid
folder-plus: folder-medical
folder-search: folder-magnifying-glass
folder-up: folder-arrow-up
folder-x: folder-xmark
footprints: hiking person-running person-walking running shoe-prints walking
forklift: dolly
frown: dizzy face-frown face-sad-tear sad-cry sad-tear tired
fuel: gas-pump oil-can
funnel: filters
funnel-x: filter-circle-xmark filter-slash
gallery-horizontal-end: rectangle-vertical-history
gallery-vertical-end: rectangle-history
gamepad-2: gamepad-modern playstation steam xbox
gauge: dashboard meter tachometer
gavel: legal
gem: ethereum obsidian sketch
ghost: monster snapchat
gift: gifts
git-branch: bitbucket code-branch codeberg forgejo git gitea gitee gitkraken sourcetree
git-commit-horizontal: code-commit
git-compare: code-compare
git-fork: code-fork
git-merge: code-merge
git-pull-request: code-pull-request
glass-water: glass-whiskey whiskey-glass
glasses: sunglasses
globe: edge firefox internet-explorer opera squarespace tor-browser webflow wix
graduation-cap: mortar-board user-graduate
grid-2x2: border-all square-quarters table-cells-large th-large
grid-3x3: game-board grid-3 grid-4 grid-5 th
grip: braille
grip-horizontal: grid-horizontal grip-lines
grip-vertical: grip-lines-vertical
group: object-group
ham: hotdog
hamburger: burger
hand: hands praying-hands sign-language
hand-coins: circle-dollar-to-slot donate hand-holding-circle-dollar hand-holding-dollar
hand-fist: fist-raised hand-back-fist
hand-heart: hand-holding-heart
hand-platter: hand-holding hands-holding
handshake: hand-holding-hand hands-helping
hard-drive: hdd
hard-hat: helmet-safety user-helmet-safety
hash: 0 1 2 3 4 5 6 7 8 9 hashtag
hat-glasses: user-secret
haze: smog
heading: header
headphones: user-music
headset: teamspeak user-headset
heart-crack: heart-broken
heart-pulse: heartbeat
history: clock-rotate-left
hospital: house-medical
house: airbnb igloo people-roof
house-cog: house-lock
house-wifi: house-signal
id-card: address-card drivers-license vcard
id-card-lanyard: id-badge id-card-clip
image: panorama
images: photo-film photo-video
inbox: inboxes
indian-rupee: inr rupee-sign
japanese-yen: jpy yen-sign
key: keybase keycdn openid
keyboard: typewriter
landmark: archway bank building-columns institution monument museum
languages: language
laptop: house-laptop
laugh: face-grin face-laugh grin
layers: layer-group
layers-minus: layer-minus
layers-plus: layer-plus
layout-dashboard: chart-tree-map diagram-lean-canvas rectangles-mixed
layout-grid: grid microsoft windows
layout-list: grid-dividers list-alt rectangle-list square-list
layout-template: bootstrap table-layout
library: books
life-buoy: life-ring
lightbulb: lights-holiday
lightbulb-off: lightbulb-slash
lighthouse: tower-observation
link: chain
link-2: link-horizontal
list-checks: ballot-check list-check tasks
list-collapse: list-dropdown
list-filter: bars-sort filter-list
list-ordered: list-ol
list-todo: list-radio
list-tree: diagram-nested diagram-subtask
loader: spinner
loader-circle: circle-notch spinner-third
loader-pinwheel: spiral
locate-fixed: location-crosshairs
lock: handcuffs lets-encrypt
lock-open: unlock-alt
log-in: arrow-right-to-bracket person-to-portal right-to-bracket sign-in
log-out: arrow-right-from-bracket person-from-portal right-from-bracket sign-out
luggage: suitcase-rolling
mail: envelope mailchimp
mail-badge: envelope-dot
mail-check: envelope-circle-check
mail-open: envelope-open
mails: envelopes
map: openstreetmap
map-pin: location location-dot location-pin location-question map-marker street-view
map-pin-search: magnifying-glass-location
map-pinned: map-location
martini: cocktail glass-martini
maximize-2: up-right-and-down-left-from-center
megaphone: bullhorn
meh: face-meh face-thinking surprise
memory-stick: memory
menu: bars navicon reorder
message-circle: bluesky comment line mastodon signal-messenger thought-bubble whatsapp
message-circle-check: comment-check
message-circle-heart: message-smile
message-circle-more: comment-dots commenting
message-circle-off: comment-slash
message-circle-plus: comment-plus
message-circle-question-mark: comment-question message-question quora square-question stack-overflow
message-circle-warning: comment-exclamation
message-square: intercom message sms
message-square-check: message-check
message-square-code: comment-code message-code
message-square-more: message-dots square-ellipsis
message-square-plus: message-plus
message-square-quote: comment-quote message-quote
message-square-share: message-arrow-up
message-square-text: comment-lines message-captions message-lines
message-square-warning: message-exclamation
message-square-x: message-xmark
messages-square: comments discord mattermost messages reddit rocketchat skype stack-exchange
mic: microphone
mic-off: microphone-slash
minimize-2: compress down-left-and-up-right-to-center window-minimize
minus: dash subtract
monitor: computer desktop display
monitor-check: display-chart-up
monitor-smartphone: laptop-mobile
moon: snooze
moon-star: moon-stars
motorbike: motorcycle
mountain: mountains volcano
mountain-snow: mountain-sun
mouse: computer-mouse
mouse-pointer: arrow-pointer
move: arrows arrows-up-down-left-right up-down-left-right
move-horizontal: arrows-left-right left-right
move-vertical: arrows-up-down up-down
music: itunes lastfm soundcloud spotify tiktok
navigation: location-arrow waze
network: chart-diagram hubspot sitemap
newspaper: blog hacker-news medium wordpress
notebook: evernote
notebook-text: memo
notepad-text: memo-pad
octagon: heptagon septagon
octagon-alert: octagon-exclamation
octagon-x: octagon-xmark
orbit: meteor planet-ringed
package: box-dollar hand-holding-box npm pallet parachute-box people-carry-box yarn
package-check: box-check box-circle-check
package-open: box-open
paint-bucket: bucket fill
paintbrush: paint-brush
palette: style
panel-right: sidebar-flip
paperclip: stapler
parasol: umbrella-beach
parentheses: brackets-round
party-popper: pinata
paw-print: paw
pc-case: computer-classic
pen: marker
pen-line: pen-swirl
pen-tool: pen-fancy pen-nib
pencil-ruler: pen-ruler ruler-triangle
percent: percentage
person-standing: person
phone: telephone teletype tty viber
phone-call: phone-volume
phone-off: phone-slash
piggy-bank: sack
pilcrow: paragraph
pill: capsules pills prescription
pill-bottle: prescription-bottle
pin: pinterest thumb-tack thumbtack
pin-off: thumbtack-slash
pipette: eye-dropper eyedropper
plane-landing: plane-arrival
plane-takeoff: plane-departure
plug-zap: plug-circle-bolt plug-circle-check
pointer: hand-point-right hand-pointer
pound-sterling: gbp pound-sign sterling-sign
presentation: blackboard chalkboard person-chalkboard screen-users slideshare
printer: fax print
qr-code: qrcode
rabbit: hippo
radical: square-root
radio: sensor signal-stream
radio-receiver: walkie-talkie
radio-tower: broadcast-tower tower-broadcast tower-cell
receipt: file-invoice-dollar
receipt-text: file-invoice
rectangle-ellipsis: input-numeric input-pipe
rectangle-goggles: vr-cardboard
rectangle-horizontal: rectangle
refresh-cw: arrows-rotate arrows-spin refresh rotate sync
remove-formatting: text-slash
repeat: arrows-repeat
repeat-2: arrows-retweet retweet
rewind: backward
rocket: product-hunt shuttle-space
rotate-ccw: arrow-rotate-back arrow-rotate-backward arrow-rotate-left rotate-left
rotate-cw: arrow-rotate-forward arrow-rotate-right rotate-right
route: arrows-turn-to-dots
rows-3: table-rows
ruler: tape
russian-ruble: ruble-sign
sandwich: bread-slice
satellite: space-station-moon
save: floppy-disk sd-card
save-all: floppy-disks sd-cards
scale: balance-scale
scan: scanner
scan-barcode: scanner-gun
scan-eye: arrows-to-eye
scan-face: face-viewfinder users-viewfinder
scan-line: scanner-touchscreen
scan-search: magnifying-glass-chart
scissors: cut
screen-share: screencast
search: algolia magnifying-glass yahoo yandex
send: paper-plane telegram
send-to-back: send-back
server: linode
settings: gear
settings-2: gears-code
shapes: icons
share-2: share-alt share-nodes
shelving-unit: shelves
shield-alert: shield-exclamation
shield-off: shield-slash
shield-user: user-shield
shield-x: shield-xmark
ship: ferry
ship-wheel: dharmachakra kubernetes steering-wheel
shirt: socks t-shirt tshirt vest
shopping-bag: bag-shopping shopify
shopping-basket: basket-shopping
shopping-cart: amazon cart-arrow-down cart-circle-check cart-plus cart-shopping magento shopware
shovel: trowel
shower-head: shower
shrink: arrows-to-circle arrows-to-dot
shuffle: random
signal-zero: signal-bars-slash signal-slash
signpost: diamond-turn-right directions sign sign-hanging
signpost-big: signs-post
siren: light-emergency
skip-back: backward-fast backward-step fast-backward step-backward
skip-forward: forward-fast forward-step
slice: scalpel
sliders-horizontal: slider sliders
sliders-vertical: sliders-up
smartphone: android app-store flutter google-play mobile
smartphone-nfc: mobile-signal
smile: face hugging-face teeth tooth
snowflake: icicles snowman
soap-dispenser-droplet: pump-soap
sofa: couch
sparkles: burst claude gitbook-assistant openai sparkle star-shooting stars unicorn
spline: bezier-curve
split: arrows-split-up-and-left
sprout: hand-holding-seedling seedling
square: rug stop
square-arrow-out-up-right: external-link-square square-up-right
square-chevron-down: caret-square-down square-caret-down
square-chevron-left: caret-square-left square-caret-left
square-chevron-right: caret-square-right square-caret-right
square-chevron-up: caret-square-up square-caret-up
square-code: rectangle-code
square-dashed: border-none border-style border-top-left
square-exclamation-point: square-exclamation
square-function: function
square-kanban: jira
square-pen: pen-to-square
square-radical: square-root-variable
square-terminal: rectangle-terminal
square-x: rectangle-xmark square-xmark
squares-exclude: object-exclude
squares-intersect: object-intersect
squares-subtract: object-subtract
squares-unite: object-union
stethoscope: staff-snake user-doctor user-nurse
sticky-note: note
sticky-notes: notes
store: shop
swatch-book: swatchbook
switch-camera: camera-rotate
table-2: diagram-cells table-pivot
table-properties: table-list table-tree th-list
tally-5: tally
target: bullseye
tent: campground tents
terminal: arch-linux centos debian fedora freebsd linux opensuse redhat suse ubuntu vim
test-tube: vial
test-tubes: tubes-alt vials
text-align-start: bars-staggered stream
text-cursor: i-cursor
text-cursor-input: input-text pen-field
thermometer: temperature
thermometer-snowflake: temperature-low
thermometer-sun: temperature-high
timer: stopwatch
toggle-left: toggle-off
toggle-right: toggle-large-on toggle-on
toilet: restroom
tornado: hurricane
traffic-cone: traffic-light
train-front: subway train-subway
tram-front: train-tram
trash-2: circle-trash dumpster trash-can trash-list
tree-pine: tree
trending-down: arrow-trend-down chart-line-down
trending-up: arrow-trend-up stairs
triangle: atlassian
triangle-alert: diamond-exclamation exclamation-triangle triangle-exclamation warning
trophy: ranking-star
truck: dhl fedex shipping-fast ups
tv: television
twitter: x-twitter
type: a font text-height text-width
undo-2: trash-undo
ungroup: object-ungroup
unlink: chain-broken chain-slash link-broken link-slash
unplug: plug-circle-minus plug-circle-xmark
upload: arrow-up-from-bracket up-from-bracket
user: person-military-pointing
user-cog: user-gear users-cog users-gear
user-pen: user-edit
user-round: head user-astronaut user-clock user-hair
user-search: person-circle-question user-magnifying-glass
user-star: user-tag
user-x: user-slash user-xmark
users: children people user-friends user-group
utensils: cutlery spoon utensil-spoon
utensils-crossed: utensils-slash
variable: value-absolute
vector-polygon: draw-polygon
vector-square: vector-circle
venetian-mask: mask
video: bilibili dailymotion vimeo vine zoom
video-off: video-slash
videotape: cassette-vhs
virus: disease viruses
volleyball: baseball basketball bowling-ball football futbol soccer-ball sportsball
volume-1: volume-low
volume-2: volume-high
volume-x: volume-slash volume-xmark
vote: ballot check-to-slot
wallet: apple-pay cash-app paypal venmo
wand-sparkles: hat-wizard magic wand-magic-sparkles
waves-horizontal: swimmer swimming-pool water
waves-ladder: ladder-water water-ladder
waypoints: circle-nodes person-dots-from-line
webhook: rectangle-api
wifi-off: wifi-exclamation wifi-slash
wind: lungs
wine: champagne-glasses glass-cheers
workflow: arrow-progress diagram-next diagram-predecessor diagram-project diagram-successor project-diagram
wrench: screwdriver toolbox tools
x: close multiply remove times xmark xmarks-lines
zap: bolt flux-capacitor transformer-bolt
zoom-in: magnifying-glass-plus
zoom-out: magnifying-glass-minus
`

/** Font Awesome name → Lucide name. */
export const iconNames: ReadonlyMap<string, string> = new Map(
  namesByIcon
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [icon, names] = line.split(': ') as [string, string]
      return names.split(' ').map((name) => [name, icon] as const)
    }),
)
