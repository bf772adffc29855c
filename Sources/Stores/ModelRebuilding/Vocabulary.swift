/// The words that names of properties are made of, in columns all upper-case and without a gap.
struct Vocabulary {
    private var words: Set<String> = Self.common

    /// Learns the words of names in their own spelling, as those of entities.
    mutating func learn(_ name: String) {
        let parts = Self.parts(of: name)
        words.formUnion(parts)
        words.formUnion(parts.map { plural(of: $0) })
    }

    /// Returns the words of a name, in lower case: `shownURLText` gives shown, url, text.
    static func parts(of name: String) -> [String] {
        var parts: [String] = []
        let characters = Array(name)
        for (place, character) in characters.enumerated() where character.isLetter {
            let before = place > 0 ? characters[place - 1] : "_"
            let next = place + 1 < characters.count ? characters[place + 1] : "_"
            let begins =
                !before.isLetter
                || (character.isUppercase && (before.isLowercase || next.isLowercase))
            if begins || parts.isEmpty { parts.append("") }
            parts[parts.count - 1] += character.lowercased()
        }
        return parts
    }

    /// Cuts a text into words, the likeliest cuts first.
    ///
    /// - Parameters:
    ///   - text: letters in lower case.
    ///   - count: the greatest number of cuts.
    /// - Returns: the cuts, each with its cost: what is no word costs by the letter.
    func cuts(of text: String, count: Int = 3) -> [(words: [String], cost: Int)] {
        let letters = Array(text)
        guard letters.count <= 60 else { return [([text], 0)] }
        var best: [[(words: [String], cost: Int)]] = Array(repeating: [], count: letters.count + 1)
        best[0] = [([], 0)]
        for end in letters.indices.map({ $0 + 1 }) {
            for start in max(0, end - 20)..<end {
                let word = String(letters[start..<end])
                let cost = words.contains(word) ? 4 : 6 + 5 * word.count
                for before in best[start] {
                    best[end].append((before.words + [word], before.cost + cost))
                }
            }
            best[end].sort { ($0.cost, $0.words.count) < ($1.cost, $1.words.count) }
            best[end] = Array(best[end].prefix(count))
        }
        return best[letters.count]
    }

    /// Joins words that are not known with those in front of them, such as `app` and `tentive`.
    func joiningUnknown(
        _ cuts: [(words: [String], cost: Int)]
    ) -> [(words: [String], cost: Int)] {
        cuts.compactMap { cut in
            var joined: [String] = []
            var wasUnknown = false
            for word in cut.words {
                let isUnknown = !words.contains(word)
                if let last = joined.last,
                    isUnknown || (wasUnknown && word.count < 3 && word != "id")
                {
                    joined[joined.count - 1] = last + word
                } else {
                    joined.append(word)
                }
                wasUnknown = isUnknown
            }
            return joined.count < cut.words.count ? (joined, cut.cost + 4) : nil
        }
    }

    /// The plural of a word, as English has it.
    func plural(of word: String) -> String {
        let lower = word.lowercased()
        if ["s", "x", "ch", "sh", "z"].contains(where: lower.hasSuffix) { return word + "es" }
        if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
            return word.dropLast() + "ies"
        }
        return word + "s"
    }

    /// Words that are written in capitals within a name.
    static let acronyms: Set<String> = [
        "id", "url", "uri", "uuid", "guid", "html", "json", "xml", "api", "utc", "gps", "ip", "ui",
        "pdf", "http", "https", "sms", "md5", "sha", "os", "sku", "isbn", "hd", "tv", "dns", "vat",
        "sql", "sdk", "rgb", "csv", "rss", "qr", "faq", "cdn", "iso", "iban", "bic", "upc", "ean",
    ]

    private static let common = acronyms.union(
        """
        abbreviation abs absent abstract academy accent accessory accuracy achievement acquired adapter adjusted
        adjustment advanced affiliate affinity agenda agreement aim airport alcohol align alignment allergy alternate
        alternative ambient analysis analytics anchor angle animal animated animation annotation anonymous appearance
        applied appointment approval approved area argument array arrow aspect assessment assignee assignment associated
        attendee auction authority authorization automated automatic aux axis baby band bank barcode basal basket beat
        beats bed behavior benefit bill billing bit bitmap blob blog blur boolean boost border bounds box branch bread
        break bridge brief brightness broadcast bucket budget bug bulk buy cached calculated calibration camera campaign
        cap capability capacity carrier catalog caught cause census certificate challenge chance char character charge
        chart chosen circle citation city clean clear clip clone code codes coefficient collapsed collected colour
        command committed commit component composer composition computed concept concert conflict connection consent
        console constant constraint consumed consumption context continent contract contribution control conversion
        coordinates corner cost coupon crash crew criteria criterion cross crypto cup curve cycle damage dark deadline
        deal debit debug decimal deck declined definition degree demo denied density depart department dependency deposit
        deprecated depth derived design desired desktop destroyed developer diff difference dimension direct director
        discovered discussion dismissed dispatch distributed district division doctor dog domain donation dose doses
        download drag drawing drink driver drop dummy dynamic ear earned earth east economy edition editor education effect
        elevation eligible embedded emoji employee employer enable encoding encryption endpoint engine enrollment episode
        equipment estimate estimated evaluation exam example exception exchange excluded executed exercises existing exit
        experience experiment expert explicit exponent exported exposure face factor failure family farm fast fault
        feature featured fee female fiber figure fill fingerprint fire firmware fish fit fitness fix flash flight float
        floor flow flower focus fold food foreign forecast formatted formula found fraction frame fresh fruit fuel function
        fund funds future gain gallery garden gas gate gateway general generation genres geo geometry gift glass global
        grade grand graph gravity grid gross ground growth guest guide guild half hand handler happened hard hardware
        harvest head headline health hearing heat hero hidden highlight hint hit hold holder hole holiday host hotel
        household human humidity hunt idle ignore ignored illustration impact impression inbox incident included income
        increment indicator industry infinite inherited ingredients initials inline inner input inserted inspection
        install inside instant institution instrument insurance integration intensity intent invalidated inventory
        investment iteration journal journey jump kcal kilo kitchen knowledge lab lane lap large launch lead league
        learn learned leave legacy lesson letter license licence life lifetime limited lines linked liquid listing live
        load loan logged logic login loop lost loss lot love lower lunch machine magnitude makers male manifest
        manufacturer margin market match material math matrix matter meal mean meaning measurement medal medication
        meeting mentor merchant merge merged method metric metrics mileage milestone mini mirror misc mission mixed mock
        modifier modifiers money monitor mood mood moon motion motor mount mouth muscle museum music mutation nation nature
        navigation nearest need needs negative neighborhood nested net night node nominal north notebook notice nullable
        nutrition observation observed occurred occurrence odometer offer offline opacity operator opinion opponent orders
        organization outcome outlet outside override packet pace palette panel paper paragraph parameter parking parsed
        partial partner party pass passed passenger patch patient patients pause paused peak pen people performance
        permission permissions persistent persisted pet pharmacy phase phrase physical piece pillar pipeline pitch pixel
        placeholder planned planet plant plate plugin plural pool popular popularity population portfolio portion portrait
        position positive postcode pound power practice precision predicate prediction preference preferences premium
        prescription present preset pressure prevented primitive principal print privacy probability problem procedure
        process producer production profit program promo promotion proof protein protocol province proxy pulse pump
        purpose qualified quarter queued quiz race radio rain random range ranking rated reach reactions reader real
        recommended reconciled records rect recurrence recurring redeemed reduced ref referral referrer refund regular
        rejected related release relevance reload removal render rent rental replaced replacement replay repository
        representation reps requested requests required reservation reserved residence resolution resolved rest
        restaurant restored restriction resume retrieved return returned revenue reversed review reviewed reviews reward
        rewards rich ride risk river road rotation rounds rule rules run running runtime safe safety salary sales salt
        sampled satellite saturation saving scan scene school science scored scores screen script sea search sector seed
        select selection selector self seller sensitivity sensor sentence separate serving servings sessions setting
        setup sex shade sharing shelf shift ship shipment shipped shipping shipment shopping shot shuffle side signal
        signed significant sit site skill skin skip sku sleep slide slot smart smoke snippet society software sold solid
        solution song sorted south spam span special species specific specification speech spend spent split sponsor sport
        spot square stable stack staff stamp standard stars starting statement static statistic statistics stats steps stock
        stop stopped straight strategy streak strength stress strict stroke structure student studio study submission
        submitted subset subtotal succeeded success sugar suggested suggestion suite summer supplier support surface
        suspended swap swipe switch symbol symptom synchronization syntax system tablet tail talk tap tax taxes teacher tempo
        temporary tenant terminal terminated terms territory text theme third tile tiles timed timeline tint tip tips tone
        tool total touch tour tournament town trace trade traffic trailing train trainer training transcript transform
        transit transport trash travel tree trial triggered true trust trusted tune turn tutorial twitter typed
        ultimate unconfirmed uniqueness university unlock unlocked until upcoming upper urgent used utility vacation
        validated validation variable variation vehicle velocity verification verse video visibility vision visitor visual
        vital vocabulary voice vote voted votes voucher waiting walk walking wall warehouse warning warranty watch watched
        water wave weather weekday weekly well west white wide wild wind wine winner winter wish wizard woman words workflow
        world worth wrap write writer written wrong yearly yes yield young
        a about above absolute accept accepted access account accuracy action active activity actor actual add added
        address admin after age agent alarm album alert alias all allow allowed alpha already alt altitude amount an and
        answer app apple application archive archived area arrival article artist as asset assigned at attachment attempt
        attempts attribute attributed audio author authored auto available avatar average away back background backup
        badge balance banner bar base basic batch battery before begin best bio birth birthday bitrate block blocked blue
        board body book bookmark bookmarked bool bottom brand browser buffer build bundle business button by bytes
        calendar call calorie can cancel canceled cancelled caption capture card carb cart case cash category cell center
        chain change changed channel chapter chat check checked checksum child children choice city class client clock
        close closed cloud code collection color column comment comments common company complete completed completion
        condition confidence config configuration confirmed connected contact container content contents context
        conversation cookie coordinate copy correct cost could count country course cover create created creation creator
        credit crop currency current custom customer daily data database date dated day days default deleted delivered
        delivery delta departure depth description destination detail details device dialog did digest dimension direct
        direction dirty disabled discount display distance document done dose double down download downloaded draft due
        duration duplicate edit edited effect elapsed email empty enabled encoded encrypted end ended ending energy entity
        entry error event events exact exercise expanded expense expiration expired expires expiry expression extension
        external extra failed fat favorite favorites favourite feed feedback fetch fetched field file filename files filter
        final finish finished first fixed flag flags folder follow followers following font for force form format forward
        free frequency friend from full game gender generated genre glucose goal gram green group groups had handle
        has hash hashed have header heading heart height hidden high history home hour hours icon identifier image images
        import important in inactive index info ingredient initial insert installed instance instruction insulin integer
        interest internal interval introduction invalid invitation invited invoice is issue issued item items job join
        joined key keys keyword kind label language large last latest latitude layer left length level library light like
        liked likes limit line link list loaded local locale location locked log logo long longitude low mail main make
        manager manual map mark marked mask master max maximum md measure media medium member memo mention mentions menu
        message messages meta metadata middle min minimum minute minutes missing mobile mode model modification modified
        module moment month most move moved movie muted my name namespace native network new newest next nickname no none
        normal not note notes notification notified number numeric object of off offset old on once one only open opened
        operation option optional order ordered ordering orientation origin original other out output owner owners package
        page pages paid parent part participant password path pattern pay payload payment peer pending percent percentage
        period person phone photo photos picture pin pinned place plan platform play played player playlist podcast
        point points poll port position post postal poster preferred prefix prepared preview previous price primary
        priority private processed product profile progress project properties property provider public published
        publisher purchase purchased push quality quantity query question queue quick quote radius rank rate rating
        ratio raw reaction read reading ready reason receipt receive received receiver recent recipe record recorded
        recovery red reference refresh region registered relation relationship relative release released remaining
        remind reminder remote removed rendered repeat replied reply report request required reset resource response
        result retry revision right role room root rotation route row sample saved scale schedule scheduled schema scope
        score scroll search season second seconds secret section secure seen segment selected send sender sensor sent
        sequence serial series server service session set settings shadow shape share shared shop short should show shown
        sign signature silent simple since size skipped sleep slug small snapshot social sort sorting sound source space
        speed stage star starred start started starting state station status step steps storage store stored story
        stream street string style sub subject submitted subscribed subscription subtitle successful sum summary
        supported suffix survey sync synced synchronized syncable system tab table tag tags target task team template
        temperature term test text thread threshold thumb thumbnail ticket time timeout timer times timestamp timezone
        title to today token top topic total track tracked tracking transaction transfer translation trashed trend
        trigger trip type uncertainty unique unit unread update updated upload uploaded usage use used user username users
        valid validity value values variant vendor verified version vertical video view viewed views visibility visible
        visit visited volume wallet was web website week weight when width window with word work workout year zip zone zoom
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )
}
