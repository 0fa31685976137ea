"""The words that rules know, English and German, as stems are made of them. Pure data and one way to look it up."""

from types import MappingProxyType


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VERBS = "does do did is are was were has have had should must could would need"
AUXILIARIES = _words(
    f"{_VERBS} can will may ist sind war waren hat haben kann können wird werden soll sollen muss müssen"
)
DETERMINERS = _words("the a an this that these those its their our my der die das den dem des ein eine einen einem")
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|januar|februar|märz|mai|juni|juli|oktober|dezember"
)
_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
CONTRACTIONS = MappingProxyType(
    {
        "can't": "can not",
        "cannot": "can not",
        "won't": "will not",
        "shan't": "shall not",
        "ain't": "is not",
        "b4": "before",
        "let's": "",
        "cant": "can not",
        "wont": "will not",
        **{f"{verb}nt": f"{verb} not" for verb in _VERBS.split()},
    }
)

# Behind a colon, it is said of what stands in front: "search by date: not supported".
VERDICT = (
    r"(?:not (?:yet )?|no |nicht |partly )?(?:supported|unsupported|working|works?|fails?|failed|broken|ok|okay|fine"
    r"|nope|yes|no|possible|impossible|available|unavailable|missing|done|good|geht|klappt|möglich|fehlt|kaputt|nein|ja)"
)
CHANGE = (
    r"(?:updates?|upgrade|change|fix|patch|release|deploy(?:ment)?|firmware|migration|rebuild|rewrite|move|hotfix"
    r"|aktualisierung|umstellung|änderung|umzug)"
)
# What is said as several words and means one. In order; patterns of texts in lower case.
PHRASES = (
    # Hearsay, plans and parts: nothing is asserted.
    (r"\b(?:(?:i|we) (?:was|were|am|are|got) told|(?:they|people|some) say|it is said)(?: that)?\b", " allegedly "),
    (
        r"\b(?:docs?|documentation|manual|handbook|readme|vendor|changelog|page)"
        r" (?:says?|claims?|promises?)(?: that)?\b",
        " allegedly ",
    ),
    (r"\b(?:is|are|was|were) (?:planned|supposed|expected|said|due|about|going|likely) to\b", " allegedly "),
    (r"\b(?:someday|some day|one day|eventually|in (?:the )?future|hopefully)\b", " allegedly "),
    (r"(?<!i )(?<!we )\bwould\b(?! (?:like|rather|prefer|love))", " allegedly "),
    (r"(?:^|(?<=[.;:] ))(?:some|certain|several|a few|einige|manche) (?=\w)", " allegedly "),
    # Verdicts on what was named before.
    (r"\b(?:is|are) beyond (?=the|a|its|our)", " is impossible for "),
    (r"\b(?:is|are) (?:fine|ok|okay|all right) (?:with|by) (?:me|us)\b", " works "),
    (r"\bsind? noch da\b|\bist (?:wieder|noch) da\b", " funktioniert "),
    (r"\bknown to be\b", " "),
    (r"\bit is (?:better|best|good|wise|advisable|important|useful) to\b", " "),
    (r"\b(?:is|are|be|stays?|remains?) left (?=un)", " is "),
    (r"\b(?:is|are) out of (?:reach|service|order)\b", " is unavailable "),
    (r"\bup[ -]to[ -]date\b", " current "),
    (r"\bout[ -]of[ -]date\b|\boutdated\b|\bstale\b", " not current "),
    (r"^\W*no,? (?=(?:pls|please|thanks|do not)\b)", " "),
    (r"\bis (?:nope|no|nein)\b(?=\s*(?:[.,;!]|$))", " fails "),
    (r"\b(?:is|are) (?:yes|ja|ok|okay|good)\b(?=\s*(?:[.,;!]|$))", " works "),
    (r"\b(?:wrong|false|untrue|incorrect|a myth|not true|not the case|not right) that\b", " not "),
    (r"\b(?:true|correct|right|the case) that\b", " "),
    (r"\b(is|are|was|were|be|get|gets|look|looks|came|come|comes) right\b", r"\1 correct"),
    (rf"^({VERDICT}): ([^.;!?]+)", r"\2 is \1"),
    (r"\b(?:has|have) been (?:removed|dropped|retired|withdrawn|switched off|shut down)\b", " unavailable "),
    (r"\b(?:is|are) (?:back|up again|there again|still there)\b", " works "),
    (r"\b(?:is|are|comes?|came) up\b(?=\s*(?:[.,;!]|$))", " works "),
    # What changed since when, and how much.
    (
        r"\b(?:(?:was|were|has been|have been|is|are|got) )?"
        r"(?:raised|lowered|increased|reduced|changed|set|cut|bumped|extended|shortened|moved)"
        r" (?:down |up )?to (?=\d|one\b)",
        " is ",
    ),
    (r"\bone (?=(?:can|cannot|may|might|must|should|could|has|gets)\b)", "you "),
    (r"\b(?:at|for) a time\b", " "),
    (
        r"\b(?:after|with|since|following|because of|due to|thanks to|nach|seit|mit|durch|dank)"
        rf" (?:the|our|this|last|dem|der|das|die)(?: [\w.-]+){{0,2}} {CHANGE}\b"
        r"(?: (?:of|from|on|in|to|vom|von|am) (?:the )?(?:last |this )?[\w.]+)?",
        " ",
    ),
    (r"\b(?:above|over|beyond|past|über) (?=\d)", " «gt» "),
    (r"\b(?:below|under|beneath|unter) (?=\d)", " «lt» "),
    (rf"\b(stopped \w+ing) (?:in|on|since) (?:{_MONTHS}|{_DAYS})\b", r"\1"),
    # What is put in the place of what, where, and in which order.
    (
        r"(?:, (?:and )?not|,? but (?:not|never)) (?=(?:by|in|for|with|from|on|at|of|to|via|the|an?|my|your|our) )",
        " rather than ",
    ),
    (r",? but (?:not|never) (?=[\w-]+(?: [\w-]+)?\s*(?:[.,;!]|$))", " rather than "),
    (r"\b(the \w+) ones?\b(?=\s*(?:[.,;!]|$))", r"\1"),
    (r"\b(?:from |on )?(?:the )?outside\b(?=\s*(?:[.,;!]|$))", " external "),
    (r"\b(?:from |on )?(?:the )?inside\b(?=\s*(?:[.,;!]|$))", " internal "),
    (r"\bat the (?:very )?end\b(?! of)", " last "),
    (r"\bat the (?:very )?(?:beginning|start)\b(?! of)", " first "),
    (r",? but (?:not|never) (?=(?:by|in|for|with|from|on|at|of|to|via) )", " rather than "),
    (r"\bother than\b|\banything but\b|\bnichts außer\b", " not "),
    (r"\bfirst,? (?:and )?then\b", " before "),
    (r"\bzuerst (\w+(?: \w+){0,2}),? dann\b", r"\1 before"),
    (r"\b(hidden|withheld|barred) from\b", r"\1 to"),
    # Verbs of several words, and what they deny.
    (r"\b(?:sticks?|stuck|keeps?) to\b", " respects "),
    (r"\b(?:blind to|unaware of|oblivious to)\b", " not knows "),
    (r"\baware of\b", " knows "),
    (r"\b(?:has|have|had|makes?) no (?:trouble|problems?|difficulty|difficulties|issues?) (?:with|in)\b", " handles "),
    (r"\b(?:falls?|fell|fall) over (?:on|at|with)\b", " fails "),
    (r"\bnot (?:a |the )?fall over (?:on|at|with)\b", " not fails "),
    (r"\bes gibt keine möglichkeit,?", " nicht "),
    (r"\b(?:turn|switch|turns|switches)(?:ed)? ((?:(?!on\b|off\b)\w+ ){1,4})off\b", r"disable \1"),
    (r"\b(?:turn|switch|turns|switches)(?:ed)? ((?:(?!on\b|off\b)\w+ ){1,4})on\b(?! (?:the|a|your)\b)", r"enable \1"),
    (r"\b(?:turn|switch) on the\b", "enable the"),
    (r"\b(?:turn|switch) off the\b", "disable the"),
    (
        r"\b(?:has|have|with) no (?:idea|notion|knowledge|clue) (?:of|about)\b|\bknows? nothing (?:of|about)\b",
        " not know ",
    ),
    (r"\b(?:trips?|tripped|stumbles?|chokes?|choked) (?:over|on|at)\b", " fails "),
    (r"\b(?:copes?|coped|is fine|is happy|are fine|gets? (?:on|along)|deals?|manages) with\b", " handles "),
    (r"\b(?:gets?|got) through to\b", " reaches "),
    (r"\bblocked from (?=the|a|its|our|reaching)", " not reaches "),
    (r"\b(?:is|are|was|were|has|have) gone from\b", " is not in "),
    (r"\b(?:is|are|has|have) gone\b", " is missing "),
    (
        r"\bat once\b(?= (?:is|are|do|does|can|work|fail|not)\b|[.,;!]|$)|\bat the same time\b|\bin parallel\b",
        " simultaneously ",
    ),
    (r"\ba (?:little|bit of|touch of|small bit of)\b", " a "),
    (r"\bincapable of\b", " not "),
    (r"\b(?:to the letter|for good|out of the box)\b", " "),
    # All else.
    (r"\b(?:as of|starting with|ever since) (?=v?\d+\.\d)", " since "),
    (r"\b(?:i|would) rather(?: have| see| use| read| get)?\b", " prefer "),
    (r"(?<=\w )(?:that|which|who) (?:is|are|was|were|do|does|did|has|have|can|will) not\b", " except "),
    (r"\b(?:not|nicht) (?:quite |entirely |ganz )?(?:sure|certain|clear|sicher)\b(?:,? (?:but|aber))?", " allegedly "),
    (r"\b(?:from now on|from today on|ab (?:jetzt|sofort|heute)|von (?:jetzt|nun) an)\b", " "),
    (r"\b(?:on purpose|by design|as (?:planned|intended)|mit absicht)\b", " "),
    (r"\b(?:is|are) not on\b(?=[.,;!]|$)", " disabled "),
    (r"\bno one\b", " nobody "),
    (
        rf"\b(?:since|from|as of|seit|ab)(?: the)? \d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?(?:{_MONTHS})\b"
        r"(?: \d{4})?(?: on)?",
        " ",
    ),
    (rf"\b\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?(?:{_MONTHS})\b(?: \d{{4}})?", " once-then "),
    (r"\b(?:feel free|you are welcome|it is (?:fine|ok|okay|all right)|(?:is|are) welcome) to\b", " "),
    (
        r"\b(?:gives?|gave|giving) up(?: on)?\b"
        r"|\b(?:struggles?|has trouble|have trouble|has problems|have problems) with\b",
        " fails ",
    ),
    (r"\b(?:every|each) (?=(?:second|minute|hour|day|week)\b)", " every 1 "),
    (r"\bhalf an? hour\b", " 30 minutes "),
    (r"\bhalf a minute\b", " 30 seconds "),
    (r"\b(\d+)-(?=[a-z]{3})", r"\1 "),
    (r"\b(?:is|are|was|were) (not )?(?:a )?part of\b", r" is \1in "),
    (r"\bwith (?:an? )?(?:(?:http|status|code|error) )*[45]\d\d\b(?! \w)", " "),
    (
        r"\bwhat (?:it|the \w+(?: \w+)?|\w+) (can|can not|will not|does not|does) do (?:now |yet )?is(?: to)?\b",
        r" it \1 ",
    ),
    (r"\b(?:keeps?|kept) (?:on )?(?=\w+ing\b)", " "),
    (r"\b(?:come|comes|came) back (?:fine|ok|okay|well|right|complete|good)\b", " works "),
    (r"\b(?:go|goes|went) through(?: fine)?(?=\s*(?:$|[.,;!]))", " works "),
    (r"\bslow(?:s|ed)? down\b", " slow "),
    (r"\b(\d+) (?:out )?of \1\b|\b(\w+) out of \2\b", " "),
    (r"\b(?:ruled out|out of the question)\b", " impossible "),
    (r"\bnever (?=(?:an?|the) )", " never prefer "),
    (r"\b(?:not|never) bother (?:to|with)\b", " not "),
    (r"\bno (?:point|use|sense) in\b|\bis not worth\b", " not "),
    (r"\bnot (?:just|merely|simply|necessarily)\b", " "),
    (
        r"\b(?:had|have|has) (?:a|the) (?:feeling|impression|hunch) that\b"
        r"|\bi (?:had )?(?:thought|guess(?:ed)?)(?: that)?\b",
        " allegedly ",
    ),
    (
        r"\b(?:since|as of|starting|from|seit) (?:(?:last|this|the|diese[rm]?|letzte[rm]?) )?"
        rf"(?:yesterday|gestern|woche|week|month|year|today|{_DAYS})\b",
        " ",
    ),
    (
        r"\b(?:for|on|over|during|in)? ?(?:the )?(?:last|this|next|past|coming) "
        r"(?=(?:\w+ )?(?:week|month|year|night|quarter|term|sprint|" + _DAYS + r")s?\b)",
        " once-then ",
    ),
    (r"\bfor (?:now|today|the moment|the time being|once)\b", " once-then "),
    (r"\b(?:later than)\b", " «gt» "),
    (r"\b(?:earlier|sooner) than\b", " «lt» "),
    (r"\bwithin (?=\d|(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|sixty) \w)", " «le» "),
    (r"\bnot only\b|\bnot (?:uncommon|unusual|unlikely|rare|surprising)\b", " "),
    (r"\b(?:not|never|nicht|nie)((?: \w+){1,3}) (?:more|longer|higher|larger|mehr|länger) (?:than|als)\b", r"\1 «le»"),
    (r"\b(?:not|never) exceeds?\b|\bmust stay below\b", " «le» "),
    (
        r"\b(?:leave|leaves|leaving|left) out\b"
        r"|\b(?:leave|leaves|leaving|keep|keeps) ((?:\w+ ){0,5}\w+) out\b(?: of\b)?",
        r" omit \1 ",
    ),
    (r"\b(?:lass|lasse|lassen sie) (.{1,40}) weg\b", r" vermeide \1 "),
    (r"\b(?:not|never|don't) (?:forget|fail|omit|neglect) to\b", " always "),
    (r"\bno (?:problem|doubt|matter|wonder|need to worry)\b", " "),
    (r"\bwithout (?:problems?|errors?|issues?|trouble|fail|exception)\b", " "),
    (
        r"\b(?:claim(?:s|ed)?|says?|said) that\b"
        r"|\b(?:thinks?|thought|believe[sd]?|heard|assume[sd]?|suspect(?:s|ed)?)\b(?: that)?",
        " allegedly ",
    ),
    (r"\bthere (?:is|are) no need to\b|\b(?:not|never) (?:have|need|necessary|required) to\b", " not "),
    (r"\b(?:by all means|at all times|every time|in every case)\b", " always "),
    (r"\b(?:under no circumstances|at no time|in no case|by no means|on no account)\b", " never "),
    (r"\bno longer\b|\bnot any ?more\b|\bnot any longer\b", " not "),
    (r"\bany ?more\b|\bany longer\b|\bat all\b", " "),
    (r"\b(?:is|are|was) used to\b", " "),
    (r"\bused to\b", " not "),
    (r"\b(?:fails?|failed|failing|refuses?|refused|declines?) to\b", " not "),
    (r"\b(?:unable|not able|impossible|has no way|no way) to\b", " not "),
    (r"\b(?:able|possible) to\b", " "),
    (
        r"\b(?:no|not|never) (?:more|longer|higher|larger|bigger) than\b|\bat most\b|\bup to\b|\bno more than\b",
        " «le» ",
    ),
    (r"\b(?:no|not|never) (?:less|fewer|lower|smaller) than\b|\bat least\b", " «ge» "),
    (r"\b(?:maximum|max|limit) of\b|\bmaximal\b|\bhöchstens\b", " «le» "),
    (r"\b(?:minimum|min) of\b|\bmindestens\b", " «ge» "),
    (r"\b(?:more|longer|higher|larger) than\b|\bmehr als\b|\blänger als\b", " «gt» "),
    (r"\b(?:less|fewer|lower|shorter) than\b|\bweniger als\b", " «lt» "),
    (r"\btime[ds]? out\b|\btiming out\b", " timeout "),
    (r"\btime-?outs?\b", " timeout "),
    (r"\b(?:turned|switched|turn|switch|turns|switches|is|are) off\b", " disabled "),
    (
        r"\b(?:turned|switched|turn|switch|turns|switches|is|are) on\b(?= (?:by default|for|when|if)\b|[.,;!]|$)",
        " enabled ",
    ),
    (r"\boff by default\b", " disabled by default "),
    (r"\bon by default\b", " enabled by default "),
    (r"\bset up\b", " setup "),
    # German.
    (r"\bnicht nur\b", " "),
    (r"\bnicht mehr\b|\bkeine?[nmrs]? mehr\b", " nicht "),
    (r"\bauf keinen fall\b|\bkeinesfalls\b|\bunter keinen umständen\b|\bkeineswegs\b", " nie "),
    (r"\bauf jeden fall\b|\bin jedem fall\b|\bunbedingt\b", " immer "),
    (r"\b(?:nicht|nie|niemals) vergessen\b|\bvergiss (?:nicht|nie|niemals)\b,?", " immer "),
    (r"\bnicht so, dass\b", " nicht "),
    (r"\b(?:ohne) (?:probleme|fehler|weiteres|ausnahme)\b", " "),
    (r"\b(?:hör|höre|hören sie) auf\b|\bverzichte[nt]? (?:bitte )?auf\b", " vermeide "),
    (r"\b(?:schlägt|schlagen|schlug) (?:immer |stets |noch )?fehl\b", " fails "),
    (r"\b(?:lehnt|lehnen) (.*?) ab\b", r" rejects \1 "),
    (r"\bnicht in der lage\b|\baußer stande\b", " nicht "),
)

NEGATORS = _words("""
    not never no none nothing nobody neither avoid avoids avoiding stop stops stopped quit refrain refrains
    forbid forbids forbidden prohibit prohibited skip skips cease unable lack lacks lacking omit omits exclude
    excludes drop drops ban bans banned hardly scarcely forget forgets impossible neglect don't n't nicht nie
    niemals kein keine keinen keinem keiner keines weder nichts niemand vermeide vermeiden vermeidet
    unterlasse unterlassen unterlass verboten verzichte verzichten weglassen unmöglich nirgends
    avoided omitted skipped excluded dropped vermieden weggelassen needn't ausgeschlossen ausgelassen ausschließen
    überspringe überspringen übersprungen spare cannot
""")

STOPPING = _words("stop stops stopped")  # a bus does, too
# They only say so more clearly; the grounds of a verdict name them.
AFFIRMING = _words("always must does do can prefer ensure immer stets muss")

# Hedges: such a sentence asserts nothing that another one could contradict.
HEDGES = _words("""
    sometimes occasionally perhaps maybe might possibly probably seems seemingly apparently rarely seldom
    often usually mostly unclear unsure allegedly wonder intermittently supposedly frequently partly partially
    almost manchmal gelegentlich vielleicht möglicherweise wahrscheinlich vermutlich selten oft häufig meist
    meistens anscheinend scheinbar teilweise unklar fast
""")

# Behind one of these, up to the end of the clause, stands the condition under which the rest holds.
CONDITIONS = _words("""
    when whenever if unless except during while until till once only wherever outside besides apart wenn falls sobald
    während außer nur solange bis sofern ausgenommen außerhalb
""")

# When something holds: told apart like a condition, wherever it stands.
TIMES = _words("""
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
    saturdays sundays weekday weekdays weekend weekends yesterday tomorrow tonight night nights nightly
    morning mornings evening evenings noon midnight january february march april june july august september
    october november december spring summer autumn winter christmas holiday holidays daytime weekly monthly
    hourly montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags
    freitags samstags sonntags wochenende wochenenden werktags nachts morgens abends mittags gestern nacht
    feiertag feiertagen once-then
""")

COMPLEMENTS = _words("whether how ob dass wie wann welche welcher welches")  # what follows is what it is about
NAMED_BY_TIME = _words("hourly nightly weekly monthly")  # "the nightly" is a run, "the weekly" a report
OF_CASE = ("der", "den")
NEVER = frozenset(("never", "nie", "niemals"))
EVEN = ("even", "also", "auch", "selbst", "sogar")  # in front of a condition: it holds then too

BREAKS = _words("""
    but because although though whereas so therefore hence however which who they it this that these we since
    aber weil da denn sondern obwohl damit deshalb daher sie dies dieses jedoch
""")
DIRECTIVES = _words("""
    always never avoid stop don't use prefer ensure keep include add skip immer nie niemals vermeide nutze
    verwende nicht not kein keine
""")
INSTEAD = r"\binstead of\b|\brather than\b|\bin place of\b|\bin favour of\b|\b(?:an)?statt\b|\banstelle von\b"
PREFERRING = _words("prefer prefers favour favor choose bevorzuge bevorzugt lieber eher prefer")

SCOPES = _words("""
    in for on at within inside per under among across via through towards as für im ins beim bei am an auf
    unter pro innerhalb zu zum zur
""")
OTHER_PREPOSITIONS = _words("""
    to from into onto by of with vor over between about against aus von vom mit nach gegen über zwischen durch
""")
PREPOSITIONS = SCOPES | OTHER_PREPOSITIONS
OTHER_WAYS = (
    {"from", "to"},
    {"from", "into"},
    {"within", "to"},
    {"von", "zu"},
    {"vor", "nach"},
)  # of one place, two things
ROLES = frozenset(("", "as", "als"))  # "treat A as B"
AGENTS = ("by", "von", "durch")  # in front of who does it, where it is done to something
PASSIVE = _words("is are was were be been being gets get wird werden wurde wurden worden")

STOP_WORDS = _words("""
    a an the and or if of as be am is are was were been being has have had having do does did doing done can
    could will would shall should must may need needs ought to too very also just even still yet now already
    again ever its it he she they them their theirs we us our you your yours i me my mine his her this that
    these those there here than then so such both each every all any some most more less few many much own
    same other another well please really indeed actually simply correctly properly fine fully completely
    totally entirely reliably exactly currently today nowadays meanwhile recently finally always definitely
    certainly clearly generally absolutely anyway instead however whatever which who whom whose what how why
    where while because since though although but yes no not like way ways thing things correction turns out
    verified confirmed fact actual after true let lets try want wants prefer prefers preferred favour
    favor make makes made making sure ensure ensures remember kindly strictly explicitly default sollte der
    die das den dem des ein eine einen einem einer eines und oder ist sind war waren sein hat haben hatte kann
    können konnte soll sollen sollten muss müssen darf dürfen wird werden wurde wurden worden auch noch schon
    jetzt immer stets er sie es wir ihr ihre seine man sich dass als wie sehr bitte wirklich tatsächlich
    inzwischen wieder erneut weiterhin leider mittlerweile nun doch ja nein eigentlich korrekt richtig
    problemlos alle jede jeder jedes jeden jedem diese dieser dieses wer wo warum dann dort hier
    mal grundsätzlich generell lieber bevorzuge bevorzugen bevorzugt weiter zurück aus ab hin vor da denn
    lässt lassen lasst ließ dabei damit davon mir mich dir dich uns
    come comes came nor noch teh adn tho though anything everything something someone anyone everyone fyi btw ok
    okay pls plz thx imo
    alles etwas jemand mehr
""")

# Words that say little: what they are said of matters. None of them makes a sentence one about another thing.
LIGHT = _words("""
    wrapper tool tools api endpoint service system function component plugin
    feature features support supports supported supporting unsupported handle handles handled handling
    accept accepts accepted work works worked working functions functioning behave behaves available
    unavailable possible usable reachable accessible functional responsive operational fine allow allows allowed
    permitted permit permits go goes do enable enables enabled
    obey obeys respect respects honour honours honor honors heed heeds contain contains apply
    applies applied include includes included including containing comprise comprises werkzeug dienst
    schnittstelle funktion funktioniert funktionieren unterstützt unterstützen
    unterstützung verfügbar möglich erlaubt erlauben enthalten enthält
""")
# They count where both say them; alone they make it no other thing: what is given, shown or had matters.
GENERAL_VERBS = _words("""
    run runs running get gets got getting use uses used using make makes made making give gives gave given giving show
    shows showed shown showing list lists listed listing return returns returned returning deliver delivers delivered
    provide provides provided offer offers offered carry carries carried hold holds held name names named tell tells
    told report reports reported print prints printed display displays displayed appear appears appeared exist exists
    come comes came find finds found know knows knew see sees saw seen come happen happens happened perform performs
    performed carried offered comes stand stands say says said mention mentions mentioned bring brings brought put puts
    zeigt zeigen liefert liefern gibt geben nennt nennen steht stehen kommt kommen findet finden meldet melden
""")
LIGHT_VERBS = _words("work works support supports handle handles contact block blocks permit allow go")
# In feedback these stand for each other: to use, add or write something is the same wish.
LIGHT_IN_FEEDBACK = LIGHT | _words("""
    choose pick use uses used using include includes included including add adds added adding put puts write writes
    written writing give gives given giving provide provides provided show shows shown insert inserts append
    visible started starting belong belongs welcome wanted erwünscht willkommen ordnung attach attaches attached
    attaching inserting putting showing
    appending start starts begin begins set sets have get gets take takes nutze nutzen nutzt
    benutze benutzen benutzt verwende verwenden verwendet gib geben gibt füge fügen hinzu schreibe schreib
    schreiben schreibt setze setzen mache machen macht zeige zeigen zeigt
""")
# Light words that deny: each turns what is said into its opposite.
LIGHT_NEGATIVE = _words("""
    unsupported unavailable disable disables disabled disregard disregards incapable fail fails failed failing
    failure broken blocked blocks block blocking defective
    faulty refuse refuses refused reject rejects rejected rejecting disallow disallows disallowed deny denies
    denied down unusable ignored ignores ignore ignoring prevents prevented prevent crash crashes crashed
    unreachable inaccessible unresponsive inoperative nonfunctional unerreichbar unbrauchbar
    choke chokes choked stumbles
    crashing missing misses absent dead useless unimplemented blockiert blockieren gesperrt defekt kaputt
    scheitert scheitern fehlgeschlagen verweigert verweigern abgelehnt ignoriert ignorieren verbietet fehlt
    fehlen abgestürzt stürzt nichtverfügbar wrongly incorrectly badly poorly falsch weg ausgefallen versagt streikt
""")

# Of directives only these do: "dismiss crashes" is about crashes.
LIGHT_NEGATIVE_IN_FEEDBACK = _words("""
    hide hides hidden hiding disable disabled disables block reject refuse disallow deny ignore ignoring prevent
    preventing rejecting unwanted unwelcome useless wrong
    blockiere ignoriere ignorieren verweigere
""")

# Opposites: each pair is one word, said in two directions.
_OPPOSITES = """
required optional | long short | longer shorter | fast slow | faster slower | quickly slowly
| ascending descending | public private | first last | newest oldest | verbose concise | detailed brief
| synchronous asynchronous | open closed | visible hidden | show hide | shows hides | online offline
| safe unsafe | sorted unsorted | ordered unordered | encrypted unencrypted | signed unsigned | known unknown
| valid invalid | reliable unreliable | sensitive insensitive | case-sensitive case-insensitive
| deterministic random | stable unstable | complete incomplete | cached uncached | authenticated unauthenticated
| limited unlimited | formal informal | english german | mutable immutable | persistent transient
| strict lenient | keep discard | keep lose | find miss | lock unlock | include exclude | mute unmute
| automatic manual | automatically manually | separately together | merged separate | writable read-only
| correct wrong | accurate inaccurate | internal external | large small | larger smaller | big small
| light dark | high low | simple complex | relative absolute | empty full | busy idle | singular plural
| narrow wide | active inactive | before after | increase decrease | increases decreases
| thread-safe thread-unsafe | stateful stateless | succeeds errors | preserves strips | preserve strip
| upper lower | uppercase lowercase | maximum minimum | aktiviert deaktiviert | aktivieren deaktivieren
| lang kurz | lange kurze | langen kurzen | schnell langsam | öffentlich privat | sicher unsicher
| offen geschlossen | aufsteigend absteigend | ausführlich knapp | ausführliche knappe | sichtbar unsichtbar
| förmlich locker | top bottom | left right | vollständig unvollständig | sortiert unsortiert
| zuverlässig unzuverlässig | gültig ungültig
"""
OPPOSITES = MappingProxyType(
    {
        word: (pair.split()[0], sign)
        for pair in reversed(_OPPOSITES.replace("\n", " ").split("|"))
        for word, sign in zip(pair.split(), (1, -1), strict=True)
    }
)

# In front of a word, these make its opposite.
DENYING = ("un", "in", "im", "ir", "non", "dis", "nicht")
# These only look like it.
NOT_DENYING = _words("""
    import imports importer importers imported importing invoice invoices input inputs install installs installed inform
    informs informed information display displays displayed discover discovers discovered discount discounts dispatch
    dispatches dispatched improve improves improved impress intent intents instance instances instead inset invite
    invites invited income incoming indoor inbox inboxes inline inland insight insights inbound distance distances
    united union intend intends intended intense interest interests invoke invoked imprint disease
""")
LEAST_DENIED = 4  # letters; "under" denies nothing
LEAST_ALIKE = 4  # first letters that two German words have in common, whose endings are many

# Other words for the same: the first of each line stands for all of it.
_SAME = """
feed feeds fed
send sends sent sending
write writes wrote written writing
take takes took taken taking
give gives gave given giving
find finds found finding
lose loses lost losing
run runs ran running
hold holds held holding
build builds built building
hide hides hid hidden hiding
choose chooses chose chosen choosing
know knows knew known
see sees saw seen seeing visible viewable
tell tells told telling
throw throws threw thrown raise raises raised
understand understands understood
read reads reading
use uses used using
include includes included including contain
show shows showed shown showing display displays displayed
keep keeps kept keeping survive survives survived retain retains retained
pass passes passed passing forward forwards forwarded forwarding hand relay relays transmit transmits
return returns returned returning yield yields deliver delivers respond responds
delete deletes deleted deleting remove removes removed removing erase erases
create creates created creating
require requires required requiring need needs mandatory compulsory obligatory erforderlich pflicht
start starts started launch launches begin begins boot boots
summary summaries tldr tl-dr summarise summarize
report reports reporting
argument arguments args arg parameter parameters params
message messages msg mail mails email emails e-mail e-mails
picture pictures image images photo photos
emoji emojis emoticon emoticons smiley smileys
bullet bullets bullet-point bullet-points
answer answers reply replies response responses
repository repositories repo repos
database databases db
configuration config configurations configs
document documents doc docs
directory directories folder folders
retry retries retried retrying
split splits splitting
invoke invokes invoked call calls called calling
source sources src
calendar cal
information info
fetch fetches fetched retrieve retrieves retrieved
store stores stored save saves saved persist persists
quick quickly fast
big large huge
error errors exception exceptions
antwort antworten
finden findet fand gefunden
schreiben schreibt geschrieben
nennen nennt nannte genannt
umbenennen umbenannt
übergeben übergibt übergebe reicht weitergibt weitergeben
liefern liefert lieferte zurückgibt
lesen liest lies las gelesen
laufen läuft lief
nehmen nimmt nimm genommen
sprechen spricht sprich
halten hält halte gehalten
senden sendet sende schicken schickt schicke
löschen löscht lösche entfernen entfernt entferne
aufrufen aufruft ruft rufe
zusammenfassung zusammenfassungen
"""
SAME = MappingProxyType({word: line.split()[0] for line in _SAME.strip().splitlines() for word in line.split()})

_NUMBERS = """
0 zero, 1 once einmal eins, 2 two twice zwei zweimal, 3 three thrice drei dreimal, 4 four vier viermal,
5 five fünf fünfmal, 6 six sechs, 7 seven sieben, 8 eight acht, 9 nine neun, 10 ten zehn, 11 eleven elf,
12 twelve zwölf, 15 fifteen fünfzehn, 20 twenty zwanzig, 30 thirty dreißig dreissig, 40 forty vierzig,
50 fifty fünfzig, 60 sixty sechzig, 90 ninety neunzig, 100 hundred hundert, 1000 thousand tausend
"""
NUMBER_WORDS = MappingProxyType(
    {word: float(line.split()[0]) for line in _NUMBERS.split(",") for word in line.split()[1:]}
)
NO_ADVERBS = frozenset(OPPOSITES) | _words("reply apply supply family daily anomaly assembly") | NAMED_BY_TIME
HOW_OFTEN = _words("once twice thrice einmal zweimal dreimal viermal fünfmal")

# Unit → (what it measures, how many of the smallest one it is).
_UNITS = """
time 1: ms millisecond milliseconds millisekunde millisekunden
time 1000: s sec secs second seconds sekunde sekunden
time 60000: min mins minute minutes minuten
time 3600000: h hour hours hr hrs stunde stunden
time 86400000: d day days tag tage tagen
time 604800000: week weeks woche wochen
size 1: byte bytes b
size 1024: kb kib kilobyte kilobytes
size 1048576: mb mib megabyte megabytes
size 1073741824: gb gib gigabyte gigabytes
share 1: % percent prozent
times 1: time times mal
"""
UNITS = MappingProxyType(
    {
        word: (kind.split()[0], float(kind.split()[1]))
        for kind, words in (line.split(":") for line in _UNITS.strip().splitlines())
        for word in words.split()
    }
)
ONLY_GERMAN = _words("tag mal fast")  # other words in English
BOUNDS = MappingProxyType({"«le»": "at most", "«ge»": "at least", "«gt»": "more than", "«lt»": "less than"})
NAMES = _words("GET PUT SET HEAD")  # words in capitals that are verbs else
ONE = _words("one a an ein eine einer einem eines")  # a number in front of a unit
ON = ("on", "am")  # in front of a date: what was so on that day
ONLY = _words("only nur just")
SINCE = _words("since seit ab from")  # what holds since a version holds now
REASONS = _words("since seit")  # up to the end of the clause: since when
TRYING = _words("tried tested checked seen see looked confirmed verified measured saw getestet geprüft gesehen siehe")
ORDERING = _words("before after first last")
# Behind one of these stands a verb.
BEFORE_VERBS = _words("""
    not never no always to can could will would should must may do does did and or then please also only just still
    now it they we you i nie nicht immer kann zu bitte und oder
""")
VERSIONS = _words(
    "since version versions v release releases seit ab from cycle run issue ticket build"
)  # a number behind one of these is a version

GERMAN = _words("""
    an am     nach vor aus als aber oder wir bitte ohne statt vom zum zur unter über durch gegen seit bis sondern jetzt
    hat haben
    der die das den dem ein eine einen und ist sind nicht kein keine keinen nie niemals immer wird werden mit
    für auf im zu bei von kann sollte soll wenn auch nur noch vermeide verwende nutze es sich unterstützt ohne
    mehr des
""")
ENGLISH = _words("""
    the a an and is are not no never always with for on in to at of can should if also only it does do be use
    avoid without more that this
""")
