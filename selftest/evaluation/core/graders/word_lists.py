"""The words that lexical graders know, English and German. Data, and nothing that reads it."""

from types import MappingProxyType


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STEMMERS = MappingProxyType(
    {
        "da": "danish",
        "de": "german",
        "en": "english",
        "es": "spanish",
        "fi": "finnish",
        "fr": "french",
        "it": "italian",
        "nl": "dutch",
        "no": "norwegian",
        "pt": "portuguese",
        "sv": "swedish",
    }
)  # code of ISO 639-1 → name of its stemmer; in another language words are compared as they are

STOP_WORDS = MappingProxyType(
    {
        "en": _words("""
            a about also am an and any are around as at be been being both but by can could did do does
            doing done each either even ever for from get gets got had has have having he her here hers
            him his how i if in into is it its itself just may me might must my of off on one or other
            our out over own shall she should so some such than that the their them then there these
            they this those through to too up upon us very was we were what when where which while who
            whose why will with would yet you your s t re ve ll d m
        """),
        "de": _words("""
            ab aber als also am an auch auf aus bei beim bin bis da dabei damit dann das dass dein dem den der des die
            dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwa etwas
            für gibt hat hatte hatten habe haben hier ich ihm ihn ihr ihre ihrem ihren ihrer im in ins ist ja kann
            können man mehr mein mit muss müssen nach noch nun nur ob oder sehr sein seine seinem seinen seiner seit
            sich sie sind so soll sollen sowie über um und uns unser unter vom von vor war waren was wenn wer werden
            wie wir wird wo wurde wurden zu zum zur zwischen
        """),
    }
)

NEGATORS = _words("""
    not no never none nothing nobody nowhere neither nor without cannot cant dont doesnt didnt isnt arent wasnt werent
    wont nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder
""")

# Each matches in a text in lower case; what replaces it says the same in words that rules know.
REWRITTEN = (
    # Who says so is no part of what is said.
    (r"^\W*(?:according to|based on|as reported by|laut|nach angaben)\b[^,]{1,60},\s", ""),
    (r"\bwon['’]t\b", " will not "),
    (r"\bcan['’]t\b", " can not "),
    (r"n['’]t\b", " not "),
    (r"\bcannot\b", " can not "),
    (
        r"\bit(?:'s| is| was) (?:not (?:true|the case|correct|so)|false|untrue|wrong|incorrect) that\b"
        r"|\bcontrary to what (?:is|was) (?:said|claimed),?|\bes (?:stimmt|trifft) nicht(?: zu)?, dass\b",
        " not ",
    ),
    (r"\b(?:not|nicht) (?:only|just|merely|nur)\b|\bno (?:doubt|matter|wonder)\b|\bwhether or not\b", " "),
    (r"\b(?:no|not any) (?:longer|more)\b|\bnicht (?:mehr|länger)\b", " not "),
    (r"\bany ?(?:more|longer)\b", " "),
    (r"\b(?:fails?|failed|refuses?|refused|ceased?|ceases|unable) to\b", " not "),
)

TURNING = _words("not never nicht nie niemals")  # "not open" is closed; "no open door" says nothing of a closed one

# What names something of another sentence.
PRONOUNS = _words("""
    it its he him his she her they them their this these there here
    er ihn ihm sie ihr ihre es sein seine dies diese dieser dort
""")

CLAUSE_ENDS = _words("""
    and but or because although though whereas while which who that if unless since so und aber oder weil obwohl während
    welche welcher welches dass falls sondern denn
""")

# Two sides of one thing: each line is one word, said in two directions.
OPPOSITES = """
open opens opened opening | closed closes close closing shut shuts
on | off
up | down
rise rises rose risen increase increases increased | fall falls fell fallen decrease decreases decreased
grow grows grew grown | shrink shrinks shrank shrunk
high higher highest | low lower lowest
hot hotter hottest warm warmer | cold colder coldest cool cooler
early earlier earliest | late later latest
before | after
above | below
first | last
more most | less least fewer fewest
large larger largest big bigger biggest | small smaller smallest
long longer longest | short shorter shortest
old older oldest | new newer newest young younger youngest
fast faster fastest quick quickly | slow slower slowest slowly
improve improves improved | worsen worsens worsened
better best | worse worst
gain gains gained win wins won | lose loses lost
arrive arrives arrived | depart departs departed leave leaves
begin begins began begun start starts started | end ends ended stop stops stopped finish finishes finished
true correct | false incorrect wrong
allow allows allowed permit permits permitted | forbid forbids forbidden prohibit prohibits prohibited ban banned
legal | illegal
accept accepts accepted approve approves approved | reject rejects rejected refuse refuses refused
same | different
like likes liked | dislike dislikes disliked
include includes included including | exclude excludes excluded excluding
enable enables enabled active | disable disables disabled inactive
available | unavailable
online | offline
success succeed succeeds succeeded passed | failure fail fails failed
present | absent
alive | dead
full | empty
safe | unsafe dangerous
public | private
strong stronger | weak weaker
wet rainy | dry
north northern | south southern
east eastern | west western
maximum | minimum
buy buys bought | sell sells sold
push pushes pushed | pull pulls pulled
import imports imported | export exports exported
possible | impossible
visible | invisible hidden
locked lock locks | unlocked unlock unlocks
known | unknown
likely | unlikely
easy easily easier | difficult hard
inside | outside
together | apart separately
left | right
offen geöffnet öffnet | geschlossen schließt
eingeschaltet aktiv | ausgeschaltet inaktiv
steigt stieg gestiegen wächst | fällt fiel gefallen sinkt schrumpft
hoch höher höchste | niedrig niedriger tief tiefer
heiß warm wärmer | kalt kälter
früh früher | spät später
groß größer größte | klein kleiner kleinste
lang länger | kurz kürzer
alt älter älteste | neu neuer neueste jung jünger
schnell schneller | langsam langsamer
besser | schlechter
gewinnt gewann gewonnen | verliert verlor verloren
beginnt begann begonnen | endet endete geendet
wahr richtig | falsch
erlaubt | verboten
voll | leer
öffentlich | privat
möglich | unmöglich
innen | außen
"""

_NUMBERS = """
2 two zwei 3 three drei 4 four vier 5 five fünf 6 six sechs 7 seven sieben 8 eight acht 9 nine neun 10 ten zehn
11 eleven elf 12 twelve zwölf 13 thirteen dreizehn 14 fourteen vierzehn 15 fifteen fünfzehn 16 sixteen sechzehn
17 seventeen siebzehn 18 eighteen achtzehn 19 nineteen neunzehn 20 twenty zwanzig 2 second zweite zweiten 3 third dritte
dritten 4 fourth vierte vierten 5 fifth fünfte 6 sixth sechste 7 seventh siebte 8 eighth achte 9 ninth neunte 10 tenth
zehnte 30 thirty dreißig 40 forty vierzig
50 fifty fünfzig 60 sixty sechzig 70 seventy siebzig 80 eighty achtzig 90 ninety neunzig
"""
MULTIPLIERS = MappingProxyType(
    {"hundred": 100, "hundert": 100, "thousand": 1_000, "tausend": 1_000, "million": 10**6, "millionen": 10**6}
)


def _number_words() -> dict[str, int]:
    values: dict[str, int] = {}
    number = 0
    for token in _NUMBERS.split():
        if token.isdigit():
            number = int(token)
        else:
            values[token] = number
    return values


NUMBER_WORDS = MappingProxyType(_number_words())

# What says that there is no answer. Each has to stand at the beginning of a claim, in lower case.
REFUSALS = (
    r"(?:i|we) (?:do not|don't|don’t|did not|didn't|didn’t|cannot|can not|can't|can’t|could not|couldn't|couldn’t"
    r"|am unable to|are unable to|am not able to|are not able to)"
    r" (?:currently |really )?(?:have|know|find|answer|tell|say|help|provide|see|confirm|determine|retrieve|locate)\b",
    r"(?:i am|i'm|i’m|we are|we're|we’re) (?:not sure|not certain|unsure|unable to|not able to)\b",
    r"(?:there (?:is|are|was|were) )?(?:no|not enough|insufficient)(?: \w+){0,2} "
    r"(?:information|results?|data|entries|entry|answer|answers|matches|articles?|documents?|sources?|context)\b",
    r"(?:nothing|none|not) (?:was |is |were )?(?:found|listed|available|configured|to report)\b",
    r"(?:could not|couldn't|couldn’t|unable to|cannot|can't|can’t) (?:connect|find|retrieve|answer|reach|load|help)\b",
    r"(?:the|these|my|our) (?:sources?|context|documents?|articles?|results?|information|data)(?: \w+){0,2} "
    r"(?:do not|does not|don't|don’t|doesn't|doesn’t|did not|didn't)"
    r" (?:say|mention|contain|include|cover|tell|answer|provide|state)\b",
    r"(?:ich|wir) (?:weiß|wissen|kann|können|konnte|konnten|habe|haben)(?: \w+){0,3} "
    r"(?:nicht|nichts|keine[nr]?)\b",
    r"(?:keine|nichts)(?: \w+)? (?:ergebnisse|informationen|einträge|daten|gefunden|treffer|antwort)\b",
    r"(?:dazu|darüber|hierzu) (?:liegen|gibt es|habe ich|haben wir|ist) (?:\w+ )?(?:keine|nichts)\b",
)
REFUSAL_OPENING = (
    r"(?:(?:(?:i'm|i’m|i am|we are|we're) (?:very |so )?sorry|sorry|unfortunately|apologies|my apologies|i apologi[sz]e"
    r"|regrettably|leider|entschuldigung|es tut mir leid|tut mir leid)\b[,:;.!–— ]*(?:but |that |dass )?)*"
)
# What a refusal may speak of, as it says nothing about the world.
REFUSAL_WORDS = _words("""
    answer answers question questions information enough sufficient reliable reliably source sources context data know
    find found result results help provide tell say sure certain unable able right now currently moment available
    specific details detail document documents article articles search query request about topic subject based given
    provided retrieved mention mentioned contain contains have there any regarding related matching matches your entry
    entries listed report configured connect retrieve reach confirm determine reasonably sorry unfortunately afraid
    frage fragen antwort antworten informationen information genug ausreichend quelle quellen finden gefunden ergebnisse
    wissen weiß kann beantworten dazu darüber thema leider keine daten einträge treffer sagen
""")
