/// Latin, Greek and Cyrillic letters with marks, by the letters without.
///
/// From the canonical decompositions of the Unicode Character Database: a letter, a colon, and in hexadecimal its
/// variants with marks.
enum BaseLetters {
    static let all: [Unicode.Scalar: Unicode.Scalar] = {
        var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
        for line in table.split(separator: "\n") {
            let parts = line.split(separator: ":")
            guard parts.count == 2, let base = scalar(parts[0]) else { continue }
            for range in parts[1].split(separator: ",") {
                let ends = range.split(separator: "-").compactMap(scalar)
                guard let first = ends.first?.value, let last = ends.last?.value else { continue }
                for value in first...last {
                    if let letter = Unicode.Scalar(value) { letters[letter] = base }
                }
            }
        }
        return letters
    }()

    /// Marks of India and Tibet that consist of two.
    static let parts: [Unicode.Scalar: [Unicode.Scalar]] = [
        "\u{C48}": ["\u{C46}", "\u{C56}"], "\u{F73}": ["\u{F71}", "\u{F72}"],
        "\u{F75}": ["\u{F71}", "\u{F74}"], "\u{F76}": ["\u{FB2}", "\u{F80}"],
        "\u{F78}": ["\u{FB3}", "\u{F80}"], "\u{F81}": ["\u{F71}", "\u{F80}"],
        "\u{F93}": ["\u{F92}", "\u{FB7}"], "\u{F9D}": ["\u{F9C}", "\u{FB7}"],
        "\u{FA2}": ["\u{FA1}", "\u{FB7}"], "\u{FA7}": ["\u{FA6}", "\u{FB7}"],
        "\u{FAC}": ["\u{FAB}", "\u{FB7}"], "\u{FB9}": ["\u{F90}", "\u{FB5}"],
        "\u{1112E}": ["\u{11131}", "\u{11127}"], "\u{1112F}": ["\u{11132}", "\u{11127}"],
    ]

    /// Marks that are beside their letter, although since version 16 Unicode allows nothing between them.
    static let besides: Set<UInt32> = [
        0xCC0, 0xCC7, 0xCC8, 0xCCA, 0xCCB, 0x1715, 0x1734, 0x1B3B, 0x1B3D,
        0x1B43, 0x1B44, 0x1BAA, 0x1BF2, 0x1BF3, 0xA953, 0xA9C0, 0x111C0, 0x11235,
        0x1134D, 0x113B8, 0x113C2, 0x113C5, 0x113C7, 0x113C8, 0x113C9, 0x113CF, 0x116B6,
        0x1193D, 0x11F41, 0x16FF0, 0x16FF1, 0x1D166, 0x1D16D,
    ]

    private static func scalar(_ digits: Substring) -> Unicode.Scalar? {
        UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
    }

    private static let table = """
        3B:37E
        3C:226E
        3D:2260
        3E:226F
        41:C0-C5,100,102,104,1CD,1DE,1E0,1FA,200,202,226,1E00,1EA0,1EA2,1EA4,1EA6,1EA8,1EAA,1EAC,1EAE
        41:1EB0,1EB2,1EB4,1EB6,212B
        42:1E02,1E04,1E06
        43:C7,106,108,10A,10C,1E08
        44:10E,1E0A,1E0C,1E0E,1E10,1E12
        45:C8-CB,112,114,116,118,11A,204,206,228,1E14,1E16,1E18,1E1A,1E1C,1EB8,1EBA,1EBC,1EBE,1EC0
        45:1EC2,1EC4,1EC6
        46:1E1E
        47:11C,11E,120,122,1E6,1F4,1E20
        48:124,21E,1E22,1E24,1E26,1E28,1E2A
        49:CC-CF,128,12A,12C,12E,130,1CF,208,20A,1E2C,1E2E,1EC8,1ECA
        4A:134
        4B:136,1E8,1E30,1E32,1E34,212A
        4C:139,13B,13D,1E36,1E38,1E3A,1E3C
        4D:1E3E,1E40,1E42
        4E:D1,143,145,147,1F8,1E44,1E46,1E48,1E4A
        4F:D2-D6,14C,14E,150,1A0,1D1,1EA,1EC,20C,20E,22A,22C,22E,230,1E4C,1E4E,1E50,1E52,1ECC,1ECE
        4F:1ED0,1ED2,1ED4,1ED6,1ED8,1EDA,1EDC,1EDE,1EE0,1EE2
        50:1E54,1E56
        52:154,156,158,210,212,1E58,1E5A,1E5C,1E5E
        53:15A,15C,15E,160,218,1E60,1E62,1E64,1E66,1E68
        54:162,164,21A,1E6A,1E6C,1E6E,1E70
        55:D9-DC,168,16A,16C,16E,170,172,1AF,1D3,1D5,1D7,1D9,1DB,214,216,1E72,1E74,1E76,1E78,1E7A
        55:1EE4,1EE6,1EE8,1EEA,1EEC,1EEE,1EF0
        56:1E7C,1E7E
        57:174,1E80,1E82,1E84,1E86,1E88
        58:1E8A,1E8C
        59:DD,176,178,232,1E8E,1EF2,1EF4,1EF6,1EF8
        5A:179,17B,17D,1E90,1E92,1E94
        60:1FEF
        61:E0-E5,101,103,105,1CE,1DF,1E1,1FB,201,203,227,1E01,1EA1,1EA3,1EA5,1EA7,1EA9,1EAB,1EAD,1EAF
        61:1EB1,1EB3,1EB5,1EB7
        62:1E03,1E05,1E07
        63:E7,107,109,10B,10D,1E09
        64:10F,1E0B,1E0D,1E0F,1E11,1E13
        65:E8-EB,113,115,117,119,11B,205,207,229,1E15,1E17,1E19,1E1B,1E1D,1EB9,1EBB,1EBD,1EBF,1EC1
        65:1EC3,1EC5,1EC7
        66:1E1F
        67:11D,11F,121,123,1E7,1F5,1E21
        68:125,21F,1E23,1E25,1E27,1E29,1E2B,1E96
        69:EC-EF,129,12B,12D,12F,1D0,209,20B,1E2D,1E2F,1EC9,1ECB
        6A:135,1F0
        6B:137,1E9,1E31,1E33,1E35
        6C:13A,13C,13E,1E37,1E39,1E3B,1E3D
        6D:1E3F,1E41,1E43
        6E:F1,144,146,148,1F9,1E45,1E47,1E49,1E4B
        6F:F2-F6,14D,14F,151,1A1,1D2,1EB,1ED,20D,20F,22B,22D,22F,231,1E4D,1E4F,1E51,1E53,1ECD,1ECF
        6F:1ED1,1ED3,1ED5,1ED7,1ED9,1EDB,1EDD,1EDF,1EE1,1EE3
        70:1E55,1E57
        72:155,157,159,211,213,1E59,1E5B,1E5D,1E5F
        73:15B,15D,15F,161,219,1E61,1E63,1E65,1E67,1E69
        74:163,165,21B,1E6B,1E6D,1E6F,1E71,1E97
        75:F9-FC,169,16B,16D,16F,171,173,1B0,1D4,1D6,1D8,1DA,1DC,215,217,1E73,1E75,1E77,1E79,1E7B
        75:1EE5,1EE7,1EE9,1EEB,1EED,1EEF,1EF1
        76:1E7D,1E7F
        77:175,1E81,1E83,1E85,1E87,1E89,1E98
        78:1E8B,1E8D
        79:FD,FF,177,233,1E8F,1E99,1EF3,1EF5,1EF7,1EF9
        7A:17A,17C,17E,1E91,1E93,1E95
        A8:385,1FC1,1FED-1FEE
        B4:1FFD
        B7:387
        C6:1E2,1FC
        D8:1FE
        E6:1E3,1FD
        F8:1FF
        17F:1E9B
        1B7:1EE
        292:1EF
        2B9:374
        300:340
        301:341
        308:344
        313:343
        391:386,1F08-1F0F,1F88-1F8F,1FB8-1FBC
        395:388,1F18-1F1D,1FC8-1FC9
        397:389,1F28-1F2F,1F98-1F9F,1FCA-1FCC
        399:38A,3AA,1F38-1F3F,1FD8-1FDB
        39F:38C,1F48-1F4D,1FF8-1FF9
        3A1:1FEC
        3A5:38E,3AB,1F59,1F5B,1F5D,1F5F,1FE8-1FEB
        3A9:38F,1F68-1F6F,1FA8-1FAF,1FFA-1FFC,2126
        3B1:3AC,1F00-1F07,1F70-1F71,1F80-1F87,1FB0-1FB4,1FB6-1FB7
        3B5:3AD,1F10-1F15,1F72-1F73
        3B7:3AE,1F20-1F27,1F74-1F75,1F90-1F97,1FC2-1FC4,1FC6-1FC7
        3B9:390,3AF,3CA,1F30-1F37,1F76-1F77,1FBE,1FD0-1FD3,1FD6-1FD7
        3BF:3CC,1F40-1F45,1F78-1F79
        3C1:1FE4-1FE5
        3C5:3B0,3CB,3CD,1F50-1F57,1F7A-1F7B,1FE0-1FE3,1FE6-1FE7
        3C9:3CE,1F60-1F67,1F7C-1F7D,1FA0-1FA7,1FF2-1FF4,1FF6-1FF7
        3D2:3D3-3D4
        406:407
        410:4D0,4D2
        413:403
        415:400-401,4D6
        416:4C1,4DC
        417:4DE
        418:40D,419,4E2,4E4
        41A:40C
        41E:4E6
        423:40E,4EE,4F0,4F2
        427:4F4
        42B:4F8
        42D:4EC
        430:4D1,4D3
        433:453
        435:450-451,4D7
        436:4C2,4DD
        437:4DF
        438:439,45D,4E3,4E5
        43A:45C
        43E:4E7
        443:45E,4EF,4F1,4F3
        447:4F5
        44B:4F9
        44D:4ED
        456:457
        474:476
        475:477
        4D8:4DA
        4D9:4DB
        4E8:4EA
        4E9:4EB
        """
}
